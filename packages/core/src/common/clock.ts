// Time that has gone by, in seconds. Core knows neither Node nor browsers, and both have this clock.

const { performance } = globalThis as { performance?: { now(): number } }

/** Only differences mean something. */
export const seconds = (): number => (performance ?? Date).now() / 1000
