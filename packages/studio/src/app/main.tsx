// The page starts here, with what it kept of itself.

import { render } from 'preact'
import { App } from './App.tsx'
import '../views/theme.css'
import './app.css'
import { watchLongTasks } from './longTasks.ts'
import { restore, warnBeforeLeaving } from './restore.ts'

watchLongTasks()
warnBeforeLeaving()
await restore()
render(<App />, document.getElementById('app')!)
