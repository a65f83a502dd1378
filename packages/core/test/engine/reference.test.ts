import { referenceEngine } from '../../src/engine/reference/reference.ts'
import { describeEngine } from './conformance.ts'

describeEngine('the reference engine', referenceEngine)
