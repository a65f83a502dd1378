// Colours where they help, and nowhere else: styleText respects NO_COLOR and pipes.

import { styleText } from 'node:util'

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow'

const styled =
  (style: Style) =>
  (text: string): string =>
    process.stdout.isTTY && process.env.NO_COLOR === undefined ? styleText(style, text) : text

export const bold = styled('bold')
export const dim = styled('dim')
export const good = styled('green')
export const bad = styled('red')
export const careful = styled('yellow')
