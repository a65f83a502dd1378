// A model as one Python file that needs numpy and nothing else: runtime.py with the tables of the model.

import type { ScoringPlan } from '../plan.ts'
import { jsonText } from '../texts.ts'
import { RUNTIME_SOURCE } from './runtime.generated.ts'

export const pythonModule = (plan: ScoringPlan): string =>
  RUNTIME_SOURCE.replace('__HASH__', () => plan.hash).replace('__PLAN__', () => jsonText(plan))
