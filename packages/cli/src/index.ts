// The Node API: the library, data through DuckDB, model files and checkpoints on disk.

export * from '@featureboost/core'
export { CheckpointFolder } from './checkpoint/folder.ts'
export { type DataColumn, type OpenedData, type OpenOptions, openData } from './data/open.ts'
export { type WriteOptions, writeScored } from './data/write.ts'
export { readModelFile, writeModelFile } from './files.ts'
