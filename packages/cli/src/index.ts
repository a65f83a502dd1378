// The Node API: the library, and model files on disk.

export * from '@featureboost/core'
export { readModelFile, writeModelFile } from './files.ts'
