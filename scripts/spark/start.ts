// Starts Spark on this machine and keeps it until Ctrl-C: a master, two workers and a Connect server, or one process with --local.
//
//   npx tsx scripts/spark/start.ts [--local] [--python python3]
//
// Prints the address for a client. Installs pyspark first, which needs a package index that pip can reach; Java 17 or 21 has to be there.

import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { startCluster } from './cluster.ts'
import { installSpark } from './install.ts'

const { values } = parseArgs({
  options: { local: { type: 'boolean', default: false }, python: { type: 'string', default: 'python3' } },
})

const began = Date.now()
const cluster = await startCluster({ home: installSpark(values.python), local: values.local })
console.error(`ready after ${((Date.now() - began) / 1000).toFixed(1)} s; Ctrl-C ends it`)
console.log(cluster.address)
const waiting = setInterval(() => {}, 2 ** 30)
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
clearInterval(waiting)
await cluster.stop()
