// A question that something waits for: yes, or all stays as it is.

import type { ComponentChildren } from 'preact'

interface QuestionProps {
  /** Of the words, which take the focus. */
  readonly id: string
  readonly yes: string
  readonly no: string
  readonly onYes: () => void
  readonly onNo: () => void
  readonly children: ComponentChildren
}

export const Question = ({ children, id, no, onNo, onYes, yes }: QuestionProps) => (
  <div class="note" role="alertdialog" aria-labelledby={id}>
    <p id={id} tabIndex={-1}>
      {children}
    </p>
    <p class="row">
      <button type="button" class="primary" onClick={onYes}>
        {yes}
      </button>
      <button type="button" onClick={onNo}>
        {no}
      </button>
    </p>
  </div>
)
