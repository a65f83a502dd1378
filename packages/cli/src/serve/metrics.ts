// Counts and times, as text that Prometheus reads (its text format 0.0.4).

/** Upper ends of the buckets of answering times, in seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

type Labels = Readonly<Record<string, string>>

interface Family {
  readonly kind: 'counter' | 'gauge'
  readonly help: string
  readonly values: Map<string, Value>
}

/** One number, to be counted up by who has it. */
export interface Value {
  now: number
}

const FAMILIES = {
  requests_total: ['counter', 'Requests answered, by route and status.'],
  rows_total: ['counter', 'Rows predicted, by model.'],
  refused_rows_total: ['counter', 'Rows in streams that a model could not take, by model.'],
  shed_total: ['counter', 'Requests turned away because there was too much to do.'],
  reloads_total: ['counter', 'Model files read again, by model and result.'],
  model_info: ['gauge', 'Always 1; the hash of each model that is served.'],
  model_loaded_timestamp_seconds: ['gauge', 'When each model was read.'],
  queue_length: ['gauge', 'Requests that wait for their turn.'],
  resident_memory_bytes: ['gauge', 'Memory of the process.'],
} as const

export type MetricName = keyof typeof FAMILIES

export class Metrics {
  readonly #families = new Map<MetricName, Family>(
    Object.entries(FAMILIES).map(([name, [kind, help]]) => [
      name as MetricName,
      { kind, help, values: new Map() },
    ]),
  )
  readonly #times = { buckets: new Array<number>(BUCKETS.length).fill(0), count: 0, sum: 0 }

  /** To be kept by who counts often. */
  value(name: MetricName, labels: Labels = {}): Value {
    const { values } = this.#families.get(name)!
    const key = labelText(labels)
    const value = values.get(key) ?? { now: 0 }
    values.set(key, value)
    return value
  }

  add(name: MetricName, labels: Labels = {}, amount = 1): void {
    this.value(name, labels).now += amount
  }

  set(name: MetricName, labels: Labels, value: number): void {
    this.value(name, labels).now = value
  }

  /** Drops what was set for labels that hold no longer. */
  clear(name: MetricName): void {
    this.#families.get(name)!.values.clear()
  }

  observe(seconds: number): void {
    this.#times.count++
    this.#times.sum += seconds
    const bucket = BUCKETS.findIndex(limit => seconds <= limit)
    if (bucket >= 0) this.#times.buckets[bucket]++
  }

  toText(): string {
    const lines: string[] = []
    for (const [name, { help, kind, values }] of this.#families) {
      if (values.size === 0) continue
      lines.push(`# HELP featureboost_${name} ${help}`, `# TYPE featureboost_${name} ${kind}`)
      for (const [labels, { now }] of values) lines.push(`featureboost_${name}${labels} ${now}`)
    }
    return `${[...lines, ...this.#timeLines()].join('\n')}\n`
  }

  #timeLines(): string[] {
    const name = 'featureboost_request_seconds'
    const { buckets, count, sum } = this.#times
    let below = 0
    const counted = BUCKETS.map((limit, index) => {
      below += buckets[index]
      return `${name}_bucket{le="${limit}"} ${below}`
    })
    return [
      `# HELP ${name} From the end of a request's head to its answer.`,
      `# TYPE ${name} histogram`,
      ...counted,
      `${name}_bucket{le="+Inf"} ${count}`,
      `${name}_sum ${sum}`,
      `${name}_count ${count}`,
    ]
  }
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escapeLabel = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
