// The page starts here.

import { render } from 'preact'
import { App } from './App.tsx'
import '../views/theme.css'
import './app.css'
import { watchLongTasks } from './longTasks.ts'

watchLongTasks()
render(<App />, document.getElementById('app')!)
