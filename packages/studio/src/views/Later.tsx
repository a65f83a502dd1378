// A figure that is drawn when it is its turn. Until then there is room for it, under its own name, so that links to it lead there.

import type { ComponentChildren } from 'preact'
import { useTurn } from './turns.ts'

interface LaterProps {
  readonly id: string
  readonly wide?: boolean
  readonly children: ComponentChildren
}

export function Later({ children, id, wide = true }: LaterProps) {
  const { isDrawn, place } = useTurn()
  if (isDrawn) return <>{children}</>
  return <div ref={place as never} id={id} class={wide ? 'panel wide waiting' : 'panel waiting'} />
}
