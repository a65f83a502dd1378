// The certificate: what is proven, what is measured, and what to mind.

import { type CertificateSummary, formatBound } from '@featureboost/core/internal'
import { Figure } from '../Figure.tsx'
import { count, percent } from '../format.ts'

export function CertificateCard({ certificate }: { certificate: CertificateSummary }) {
  const { caveats, fingerprint, measured, modelHash, onFitting, onNew, proven, rowCount, sentence } =
    certificate
  return (
    <Figure
      id="certificate"
      title="Certificate"
      reading={`Anyone with the model file and the ${count(rowCount)} rows can compute this again: featureboost verify DATA --model FILE.`}
      wide
    >
      <div class={isKept(certificate) ? 'claim good' : 'claim attention'}>
        <dl class="bounds">
          <Bound title="on the fitting rows" bound={onFitting} />
          <Bound
            title={onNew === undefined ? 'on new rows' : `on new rows, ${percent(onNew.confidence)} sure`}
            bound={onNew?.bound}
          />
        </dl>
        <p>{sentence}</p>
      </div>
      <div class="certificate-words">
        <Sentences title="Proven" sentences={proven} />
        <Sentences title="Measured" sentences={measured} />
        <Sentences title="Mind" sentences={caveats} />
      </div>
      <dl class="hashes">
        <dt>model, SHA-256</dt>
        <dd>
          <code>{modelHash}</code>
        </dd>
        <dt>rows, fingerprint</dt>
        <dd>
          <code>{fingerprint}</code>
        </dd>
      </dl>
    </Figure>
  )
}

/** Is what was asked for proven of new rows, too? */
const isKept = ({ epsilon, holds, onNew }: CertificateSummary): boolean =>
  holds && onNew !== undefined && onNew.bound <= epsilon

/** Both bounds are of one size: neither is the headline. */
function Bound({ bound, title }: { bound: number | undefined; title: string }) {
  return (
    <div>
      <dt>error {title}</dt>
      <dd>{bound === undefined ? 'nothing is proven' : `at most ${formatBound(bound)}`}</dd>
    </div>
  )
}

function Sentences({ sentences, title }: { title: string; sentences: readonly string[] }) {
  if (sentences.length === 0) return null
  return (
    <div>
      <h3>{title}</h3>
      <ul class="sentences">
        {sentences.map(sentence => (
          <li key={sentence}>
            <bdi>{sentence}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}
