// Is a file held over the page?

import { signal } from '@preact/signals'

export const isOver = signal(false)
