// The kernels, in AssemblyScript: plain loops over memory that the caller laid out (engine/memory/). Every sum is of whole
// numbers: packed in 64-bit integers, or in doubles below 2^53, so their order does not matter. The plain TypeScript twin
// (kernels/twin.ts) says what each one means; the tests compare the two bit by bit.

export { histogram, jointHistogram, levelSums } from './count'
export { largestQuadrant } from './drawScan'
export { forestLoss, forestMove, forestStep, logitSlope } from './forest'
export { forestGrow } from './forestGrow'
export { forestScan } from './forestScan'
export { forestWalk } from './forestWalk'
export { loss, move } from './move'
export { binNumbers, sortNumbers } from './numbers'
export { levelTotals, pairFill, pairScan } from './pairScan'
export { addBin, sideNorms, sideVectors, tryPairs } from './signedTree'
