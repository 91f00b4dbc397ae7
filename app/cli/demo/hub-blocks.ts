import { type HomeBlock, createBlock } from '#app/features/homepage/homepage.schema.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { DemoSite } from './content/types.ts'
import type { PlacedContent } from './seed-context.ts'

/**
 * A department's own page, with every kind of block that the site's homepage does not use. Nothing is loaded from the addresses of films
 * and external pages until requested.
 */
export function buildHubBlocks(content: DemoSite, placed: PlacedContent, hubSlug: string, day: (days: number) => string): HomeBlock[] {
  const hub = content.hubs.find(({ slug }) => slug === hubSlug)
  if (!hub) throw new Error(`The demo has no department ${hubSlug}`)
  const translate = (en: string, fr: string, cy: string): Translated => {
    const all: Translated = { en, 'fr-CA': fr, cy }
    return Object.fromEntries(content.languages.map((language) => [language, all[language]]))
  }
  const email = `${hub.contact}@${content.mailDomain}`
  const survey = placed.projects.flatMap(({ surveys }) => surveys).find((one) => one.survey.status === 'published')
  const poll = placed.projects
    .flatMap(({ surveys }) => surveys)
    .find((one) => one.survey.status === 'published' && one.survey.pages.length === 1 && one.survey.pages[0]?.questions.length === 1)
  const fillBlock = <Type extends HomeBlock['type']>(type: Type, values: Partial<HomeBlock<Type>>): HomeBlock => ({
    ...createBlock(type, `b_${type}`),
    ...values,
  })
  return [
    fillBlock('hero', {
      title: hub.title,
      text: hub.summary,
      picture: { file: hub.picture, alt: hub.pictureAlt, decorative: false },
      action: { label: translate('Our projects', 'Nos projets', 'Ein prosiectau'), href: `/projects?hub=${hub.slug}` },
    }),
    fillBlock('rich_text', { body: hub.body }),
    fillBlock('survey_teaser', { surveyId: survey?.id ?? null }),
    fillBlock('quick_poll', { surveyId: poll?.id ?? null }),
    fillBlock('open_data', { datasetId: [...placed.datasets.values()].at(-1) ?? null, show: 'map' }),
    fillBlock('picture_text', {
      title: translate('How we work', 'Notre façon de travailler', 'Sut rydym yn gweithio'),
      body: translate(
        'We publish what we plan before anything is decided.\n\n- First we ask.\n- Then we say what we heard.\n- Last we say what changes, and why.',
        'Nous publions nos intentions avant toute décision.\n\n- D’abord, nous demandons.\n- Puis nous disons ce que nous avons entendu.\n- Enfin, nous disons ce qui change et pourquoi.',
        'Rydym yn cyhoeddi ein bwriad cyn penderfynu dim.\n\n- Yn gyntaf, gofynnwn.\n- Wedyn, dywedwn beth a glywsom.\n- Yn olaf, dywedwn beth sy’n newid, a pham.',
      ),
      picture: { file: content.home.hero.picture, alt: {}, decorative: true },
      side: 'right',
    }),
    fillBlock('timeline', {
      steps: [
        { id: 's1', day: day(-60), title: translate('First ideas', 'Premières idées', 'Syniadau cyntaf'), text: {} },
        {
          id: 's2',
          day: day(12),
          title: translate('Open evening', 'Soirée portes ouvertes', 'Noson agored'),
          text: translate(
            'At the town hall, from six o’clock.',
            'À l’hôtel de ville, dès 18 heures.',
            'Yn neuadd y dref, o chwech o’r gloch.',
          ),
        },
        { id: 's3', day: day(75), title: translate('Decision', 'Décision', 'Penderfyniad'), text: {} },
      ],
    }),
    fillBlock('project_map', { filter: 'all' }),
    fillBlock('updates', {}),
    fillBlock('divider', { look: 'line' }),
    fillBlock('faq', {
      questions: [
        {
          id: 'q1',
          question: translate('Who may answer?', 'Qui peut répondre\u00a0?', 'Pwy all ateb?'),
          answer: translate(
            'Everybody. You need not live here, and most surveys need no account.',
            'Tout le monde. Vous n’avez pas à habiter ici, et la plupart des sondages n’exigent aucun compte.',
            'Pawb. Nid oes rhaid i chi fyw yma, ac nid oes angen cyfrif ar gyfer y rhan fwyaf o arolygon.',
          ),
        },
        {
          id: 'q2',
          question: translate('Who reads what I write?', 'Qui lit ce que j’écris\u00a0?', 'Pwy sy’n darllen yr hyn rwy’n ei ysgrifennu?'),
          answer: translate(
            'The team named on the project’s page, all of it.',
            'L’équipe nommée sur la page du projet, au complet.',
            'Y tîm a enwir ar dudalen y prosiect, y cyfan ohono.',
          ),
        },
      ],
    }),
    fillBlock('video', {
      title: translate('A walk along the plan', 'Une promenade sur le plan', 'Taith ar hyd y cynllun'),
      address: 'https://vimeo.com/76979871',
      picture: { file: content.home.hero.picture, alt: {}, decorative: true },
    }),
    fillBlock('embed', {
      title: translate('The city’s live map', 'La carte en direct de la ville', 'Map byw y ddinas'),
      address: 'https://www.openstreetmap.org/export/embed.html',
    }),
    fillBlock('call_to_action', {
      title: translate('Something we should ask about?', 'Un sujet à aborder\u00a0?', 'Rhywbeth y dylem ofyn amdano?'),
      text: translate(
        'Write to us: every message is answered.',
        'Écrivez-nous\u00a0: chaque message reçoit une réponse.',
        'Ysgrifennwch atom: caiff pob neges ateb.',
      ),
      action: { label: translate('Write to us', 'Nous écrire', 'Ysgrifennu atom'), href: `mailto:${email}` },
      tone: 'wash',
    }),
    fillBlock('sign_up', {}),
    fillBlock('contact', {
      email,
      phone: '+1 555 010 0199',
      place: translate('Town hall, second floor', 'Hôtel de ville, deuxième étage', 'Neuadd y dref, ail lawr'),
    }),
  ]
}
