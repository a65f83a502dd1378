// The start page: what it is, the hero figure, the studio at work, where to go on.

import { escapeHtml } from './html.ts'

/** A picture with the words under it. */
export interface Hero {
  readonly source: string
  readonly words: string
}

interface Card {
  readonly title: string
  readonly target: string
  readonly words: string
}

const CARDS: readonly Card[] = [
  {
    title: 'First audit in five minutes',
    target: 'guides/first-audit.html',
    words: 'A table with outcomes and scores goes in; for whom the score is wrong comes out.',
  },
  {
    title: 'Choosing groups',
    target: 'guides/choosing-groups.html',
    words: 'Search everything, name the groups that matter, or protect a few columns by name.',
  },
  {
    title: 'Reading a certificate',
    target: 'guides/reading-a-certificate.html',
    words: 'What is proven, on which rows, for which groups, and what nobody has proven.',
  },
  {
    title: 'A gate in CI',
    target: 'guides/ci-gate.html',
    words: 'A pipeline that stops when a score is wrong for a group, with an exit code of its own.',
  },
  {
    title: 'Monitoring',
    target: 'monitor.html',
    words: 'Batch after batch, with alarms that may be looked at every day.',
  },
  {
    title: 'Scoring where the rows are',
    target: 'export.html',
    words: 'The same predictions as SQL, as Python, as one ES module, as ONNX.',
  },
  {
    title: 'Moving from MCGrad',
    target: 'guides/from-mcgrad.html',
    words: 'Which call becomes which, and where the two differ.',
  },
  {
    title: 'Moving from CalibratedClassifierCV',
    target: 'guides/from-calibrated-classifier.html',
    words: 'One import in a scikit-learn pipeline, and groups are looked after, too.',
  },
  {
    title: 'What is guaranteed, and why',
    target: 'theory.html',
    words: 'What the code computes, with proofs, and the paper item by item.',
  },
]

export function homeHtml({ source, words }: Hero): string {
  const cards = CARDS.map(
    ({ target, title, words: text }) =>
      `<li><h3><a href="${target}">${escapeHtml(title)}</a></h3><p>${escapeHtml(text)}</p></li>`,
  )
  return `<div class="hero">
<h1>Probabilities that are right for every group</h1>
<p>A model says 0.3. Is that true for women under 30 on the night shift? featureboost finds the groups for which a score is wrong,
corrects it, and certifies the result in a way that anyone can compute again.</p>
<p class="buttons"><a href="guides/first-audit.html">First audit in five minutes</a><a href="studio.html">Open the studio</a></p>
<figure><img src="${escapeHtml(source)}" alt="${escapeHtml(words)}"><figcaption>${escapeHtml(words)}.</figcaption></figure>
</div>
<section class="studio" aria-labelledby="live">
<h2 id="live">Try it here</h2>
<p>This is the studio, complete and running in your browser. Drop a table on it or try the example: no row leaves this page.
<a href="studio.html">Open it in full</a>.</p>
<iframe src="studio.html" title="The studio" loading="lazy"></iframe>
</section>
<section aria-labelledby="guides">
<h2 id="guides">Guides</h2>
<ul class="cards">
${cards.join('\n')}
</ul>
</section>
<section aria-labelledby="more">
<h2 id="more">More</h2>
<ul>
<li><a href="gallery.html">Five cases with their reports</a>, made up and real.</li>
<li><a href="overview.html">The overview</a>: library, command line, guarantees.</li>
<li>Reference: <a href="command-line.html">command line</a>, <a href="options.html">options</a>, <a href="api.html">TypeScript API</a>, <a href="python.html">Python package</a>, <a href="errors.html">errors</a>.</li>
<li>Evidence: <a href="truth.html">checked against the truth</a>, <a href="versus.html">against other packages</a>, <a href="reliability.html">reliability</a>.</li>
</ul>
</section>`
}

/** The first picture of the README, which is the one that says it all. */
export function heroOf(readme: string, resolve: (href: string) => string): Hero {
  const [, words, href] = /!\[([^\]]+)\]\(([^)]+)\)/.exec(readme) ?? []
  if (href === undefined) throw new Error('README.md has no picture for the start page.')
  return { source: resolve(href), words: words.replace(/\.$/, '') }
}
