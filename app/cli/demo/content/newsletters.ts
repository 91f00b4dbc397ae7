import type { Translated } from '#app/lib/translated.ts'
import { cyEn, enFr } from './texts.ts'

const enCy = (en: string, cy: string): Translated => cyEn(cy, en)

export interface DemoNewsletter {
  name: string
  subject: Translated
  body: Translated
  call: { title: Translated; text: Translated; label: Translated }
  /** Days from now. */
  day: number
}

/** One sent newsletter per site. */
export const NEWSLETTERS: Readonly<Record<string, DemoNewsletter>> = {
  riverbend: {
    name: 'Autumn newsletter',
    subject: enFr('What {{site}} asks this autumn', 'Ce que {{site}} vous demande cet automne'),
    body: enFr(
      'Thank you for taking part.\n\n## What came of your answers\nThe council has read every one. What changes, and what does not, is told with its reasons on each project’s page.\n\n- Decisions are dated and signed\n- Figures can be downloaded\n\nSee [all the projects](/projects).',
      'Merci d’avoir participé.\n\n## Ce qu’il est advenu de vos réponses\nLe conseil les a toutes lues. Ce qui change, et ce qui ne change pas, est expliqué sur la page de chaque projet.\n\n- Les décisions sont datées et signées\n- Les chiffres peuvent être téléchargés\n\nVoyez [tous les projets](/projects).',
    ),
    call: {
      title: enFr('Have a few minutes?', 'Vous avez quelques minutes?'),
      text: enFr('Some projects are still open to answers.', 'Certains projets attendent encore vos réponses.'),
      label: enFr('Open projects', 'Projets ouverts'),
    },
    day: -9,
  },
  dyffryn: {
    name: 'News of the valley',
    subject: enCy('News from {{site}}', 'Newyddion o {{site}}'),
    body: enCy(
      'Thank you for taking part.\n\n## What is being decided\nEvery answer was read, in Welsh and in English. See [all the projects](/projects).',
      'Diolch am gymryd rhan.\n\n## Beth sy’n cael ei benderfynu\nDarllenwyd pob ateb, yn Gymraeg ac yn Saesneg. Gweler [pob prosiect](/projects).',
    ),
    call: {
      title: enCy('Have a few minutes?', 'Oes gennych chi ychydig funudau?'),
      text: enCy('Some projects are still open to answers.', 'Mae rhai prosiectau’n dal yn agored i atebion.'),
      label: enCy('Open projects', 'Prosiectau agored'),
    },
    day: -5,
  },
}
