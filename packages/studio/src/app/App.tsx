// The page as a whole.

import { VERSION } from '@featureboost/core'

export function App() {
  return <h1>featureboost {VERSION}</h1>
}
