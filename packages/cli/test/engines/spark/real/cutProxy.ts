// A way to the server that can be cut or frozen: bytes go through unless it is told otherwise.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export class CutProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #isCut = false

  private constructor(target: number) {
    this.#server = createServer(client => {
      if (this.#isCut) {
        client.destroy()
        return
      }
      const server = connect(target, '127.0.0.1')
      client.pipe(server).pipe(client)
      for (const [here, there] of [
        [client, server],
        [server, client],
      ]) {
        this.#sockets.add(here)
        here
          .on('error', () => {})
          .on('close', () => {
            there.destroy()
            this.#sockets.delete(here)
          })
      }
    })
  }

  static async start(target: number): Promise<CutProxy> {
    const proxy = new CutProxy(target)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Ends every connection, and those that come. */
  cut(): void {
    this.#isCut = true
    for (const socket of this.#sockets) socket.destroy()
  }

  mend(): void {
    this.#isCut = false
  }

  /** Connections that stand say nothing any more, and do not break, either; new ones are well. */
  freeze(): void {
    for (const socket of this.#sockets) socket.unpipe()
  }

  async stop(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
