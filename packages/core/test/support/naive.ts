// The definitions that engines are tested against are published with the suite that uses them.

export * from '../../src/testing/naive.ts'
