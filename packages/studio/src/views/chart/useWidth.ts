// The width that an element has, as it changes: charts are drawn at their true size, so that letters stay readable.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isOnPaper, onLayout, PAPER_ZOOM } from '../paper.ts'

/** 0 until it is known, which is before anything is painted; without a window a width that is as good as any. */
export function useWidth(fallback = 640) {
  const ref = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(typeof window === 'undefined' ? fallback : 0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const measure = () => {
      const { clientWidth } = element
      if (clientWidth > 0) setWidth(isOnPaper() ? Math.round(PAPER_ZOOM * clientWidth) : clientWidth)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    const forget = onLayout(measure)
    return () => {
      observer.disconnect()
      forget()
    }
  }, [])
  return { ref, width }
}
