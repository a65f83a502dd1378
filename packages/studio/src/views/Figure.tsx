// A figure: a heading, what is drawn, and one sentence that says how to read it, with the numbers of this data.

import type { ComponentChildren } from 'preact'

interface FigureProps {
  readonly id: string
  readonly title: string
  /** How to read it. */
  readonly reading: string
  /** Switches and the like, beside the heading. */
  readonly tools?: ComponentChildren
  readonly children: ComponentChildren
  readonly wide?: boolean
}

export function Figure({ children, id, reading, title, tools, wide = false }: FigureProps) {
  return (
    <section class={wide ? 'panel wide' : 'panel'} id={id} aria-labelledby={`${id}-title`}>
      <div class="panel-head">
        <h2 id={`${id}-title`}>{title}</h2>
        {tools}
      </div>
      {children}
      <p class="reading">{reading}</p>
    </section>
  )
}

interface ChoiceProps<T extends string> {
  readonly label: string
  readonly options: readonly T[]
  readonly value: T
  readonly onChange: (value: T) => void
}

/** One of a few, side by side. */
export function Choice<T extends string>({ label, onChange, options, value }: ChoiceProps<T>) {
  return (
    <fieldset class="choice">
      <legend class="unseen">{label}</legend>
      {options.map(option => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {option}
        </button>
      ))}
    </fieldset>
  )
}
