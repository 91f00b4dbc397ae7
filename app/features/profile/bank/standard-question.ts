import type { Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import { NO_ANSWER } from '#app/features/profile-answers/profile-answers.schema.ts'
import type { ProfileQuestionType } from '#app/lib/vocabulary/profile.ts'
import type { ProfileOption } from '../profile.schema.ts'

/** Where a wording comes from: the Office for National Statistics (Census 2021), Statistics Canada (2021 Census), or Parley. */
type StandardOrigin = 'ons' | 'statcan' | 'parley'

/** Whose census it follows. `any`: no census asks it. */
export const STANDARD_PLACES = ['uk', 'wales', 'canada', 'any'] as const
export type StandardPlace = (typeof STANDARD_PLACES)[number]

export interface StandardQuestion {
  /** Names it in the bank; the key that a new question gets. Ids of options never change, so that tables of a census can be mapped to them. */
  key: string
  place: StandardPlace
  origin: StandardOrigin
  /** Languages in which this is the census office's wording. The other texts are Parley's translations. */
  published: readonly Language[]
  /** The office asks it in another form, for example about another person of the household. */
  isAdapted: boolean
  kind: ProfileQuestionType
  label: Translated
  help: Translated
  purpose: Translated
  options: readonly ProfileOption[]
  sensitive: boolean
}

export type Line = readonly [en: string, fr: string, cy: string]
export type OptionLine = readonly [id: string, ...line: Line]

const toTranslated = ([en, fr, cy]: Line): Translated => ({ en, 'fr-CA': fr, cy })

const PREFER_NOT_TO_SAY: Line = ['Prefer not to say', 'Je préfère ne pas répondre', 'Mae’n well gennyf beidio â dweud']

/**
 * Only languages whose wording was compared with what the office published. Statistics Canada asks in French too, but its French form could not
 * be read (decision 0304).
 */
const BY_PLACE = {
  uk: { origin: 'ons', published: ['en'] },
  wales: { origin: 'ons', published: ['en', 'cy'] },
  canada: { origin: 'statcan', published: ['en'] },
  any: { origin: 'parley', published: [] },
} as const satisfies Record<StandardPlace, Pick<StandardQuestion, 'origin' | 'published'>>

export interface StandardBasis {
  key: string
  place: StandardPlace
  label: Line
  purpose: Line
  help?: Line
  kind?: ProfileQuestionType
  options?: readonly OptionLine[]
  sensitive?: true
  isAdapted?: true
}

export const createStandard = (basis: StandardBasis): StandardQuestion => ({
  ...BY_PLACE[basis.place],
  key: basis.key,
  place: basis.place,
  isAdapted: basis.isAdapted ?? false,
  kind: basis.kind ?? 'one-choice',
  label: toTranslated(basis.label),
  help: basis.help ? toTranslated(basis.help) : {},
  purpose: toTranslated(basis.purpose),
  options: [
    ...(basis.options ?? []).map(([id, ...line]) => ({ id, label: toTranslated(line) })),
    ...(basis.sensitive ? [{ id: NO_ANSWER, label: toTranslated(PREFER_NOT_TO_SAY) }] : []),
  ],
  sensitive: basis.sensitive ?? false,
})

export const WHY_AGE: Line = [
  'To see whether young and old take part alike.',
  'Pour voir si les jeunes et les aînés participent autant.',
  'I weld a yw’r ifanc a’r hen yn cymryd rhan fel ei gilydd.',
]
export const WHY_GENDER: Line = [
  'To see whether people of every gender take part alike.',
  'Pour voir si les personnes de tous les genres participent autant.',
  'I weld a yw pobl o bob rhywedd yn cymryd rhan fel ei gilydd.',
]
export const WHY_GROUP: Line = [
  'To see whether we hear from every community that lives here.',
  'Pour voir si nous entendons toutes les communautés qui vivent ici.',
  'I weld a ydym yn clywed gan bob cymuned sy’n byw yma.',
]
export const WHY_HEALTH: Line = [
  'To see whether we hear from disabled people, and whether taking part is possible for everyone.',
  'Pour voir si nous entendons les personnes handicapées, et si tout le monde peut participer.',
  'I weld a ydym yn clywed gan bobl anabl, ac a all pawb gymryd rhan.',
]
export const WHY_LANGUAGE: Line = [
  'To see in which languages we should ask and answer.',
  'Pour voir dans quelles langues nous devrions poser nos questions et répondre.',
  'I weld ym mha ieithoedd y dylem ofyn ac ateb.',
]
export const WHY_WELSH: Line = [
  'To see whether we hear from Welsh speakers, and to plan what we do in Welsh.',
  'Pour voir si nous entendons les personnes qui parlent gallois, et pour planifier ce que nous faisons en gallois.',
  'I weld a ydym yn clywed gan siaradwyr Cymraeg, ac i gynllunio’r hyn a wnawn yn Gymraeg.',
]
export const WHY_PLACE: Line = [
  'To see who has a stake in this place, and whom we have not heard.',
  'Pour voir qui a un lien avec ce lieu, et qui nous n’avons pas entendu.',
  'I weld pwy sydd â chysylltiad â’r lle hwn, a phwy nad ydym wedi’u clywed.',
]

export const BORN: Pick<StandardBasis, 'label' | 'help' | 'kind' | 'purpose' | 'isAdapted'> = {
  label: ['What is your year of birth?', 'Quelle est votre année de naissance?', 'Beth yw eich blwyddyn geni?'],
  help: [
    'We count ages in bands only.',
    'Nous comptons les âges par tranches seulement.',
    'Dim ond fesul band oedran rydym yn cyfrif oedrannau.',
  ],
  purpose: WHY_AGE,
  kind: 'year-of-birth',
  // Both offices ask for the whole date.
  isAdapted: true,
}
