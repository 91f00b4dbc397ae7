import type { Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import { NO_ANSWER } from '#app/features/profile-answers/profile-answers.schema.ts'
import type { ProfileQuestionType } from '#app/lib/vocabulary/profile.ts'
import type { ProfileOption } from '../profile.schema.ts'

/** Where a wording comes from: the Office for National Statistics (Census 2021), Statistics Canada (2021 Census), or Parley. */
export type StandardOrigin = 'ons' | 'statcan' | 'parley'

/** Whose census it follows. `any`: no census asks it. */
export const STANDARD_PLACES = ['uk', 'wales', 'canada', 'any'] as const
export type StandardPlace = (typeof STANDARD_PLACES)[number]

export interface StandardQuestion {
  /** Names it in the bank; the key that a new question gets. Ids of options never change, so that tables of a census can be mapped to them. */
  key: string
  place: StandardPlace
  origin: StandardOrigin
  /** Languages in which the census office published this wording. The other texts are Parley's translations. */
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

type Line = readonly [en: string, fr: string, cy: string]
type OptionLine = readonly [id: string, ...line: Line]

const translate = ([en, fr, cy]: Line): Translated => ({ en, 'fr-CA': fr, cy })

const PREFER_NOT_TO_SAY: Line = ['Prefer not to say', 'Je préfère ne pas répondre', 'Mae’n well gennyf beidio â dweud']

const BY_PLACE = {
  uk: { origin: 'ons', published: ['en'] },
  wales: { origin: 'ons', published: ['en', 'cy'] },
  canada: { origin: 'statcan', published: ['en', 'fr-CA'] },
  any: { origin: 'parley', published: [] },
} as const satisfies Record<StandardPlace, Pick<StandardQuestion, 'origin' | 'published'>>

interface StandardBasis {
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

const createStandard = (basis: StandardBasis): StandardQuestion => ({
  ...BY_PLACE[basis.place],
  key: basis.key,
  place: basis.place,
  isAdapted: basis.isAdapted ?? false,
  kind: basis.kind ?? 'one-choice',
  label: translate(basis.label),
  help: basis.help ? translate(basis.help) : {},
  purpose: translate(basis.purpose),
  options: [
    ...(basis.options ?? []).map(([id, ...line]) => ({ id, label: translate(line) })),
    ...(basis.sensitive ? [{ id: NO_ANSWER, label: translate(PREFER_NOT_TO_SAY) }] : []),
  ],
  sensitive: basis.sensitive ?? false,
})

const WHY_AGE: Line = [
  'To see whether young and old take part alike.',
  'Pour voir si les jeunes et les aînés participent autant.',
  'I weld a yw’r ifanc a’r hen yn cymryd rhan fel ei gilydd.',
]
const WHY_GENDER: Line = [
  'To see whether people of every gender take part alike.',
  'Pour voir si les personnes de tous les genres participent autant.',
  'I weld a yw pobl o bob rhywedd yn cymryd rhan fel ei gilydd.',
]
const WHY_GROUP: Line = [
  'To see whether we hear from every community that lives here.',
  'Pour voir si nous entendons toutes les communautés qui vivent ici.',
  'I weld a ydym yn clywed gan bob cymuned sy’n byw yma.',
]
const WHY_HEALTH: Line = [
  'To see whether we hear from disabled people, and whether taking part is possible for everyone.',
  'Pour voir si nous entendons les personnes handicapées, et si tout le monde peut participer.',
  'I weld a ydym yn clywed gan bobl anabl, ac a all pawb gymryd rhan.',
]
const WHY_LANGUAGE: Line = [
  'To see in which languages we should ask and answer.',
  'Pour voir dans quelles langues nous devrions poser nos questions et répondre.',
  'I weld ym mha ieithoedd y dylem ofyn ac ateb.',
]
const WHY_WELSH: Line = [
  'To see whether we hear from Welsh speakers, and to plan what we do in Welsh.',
  'Pour voir si nous entendons les personnes qui parlent gallois, et pour planifier ce que nous faisons en gallois.',
  'I weld a ydym yn clywed gan siaradwyr Cymraeg, ac i gynllunio’r hyn a wnawn yn Gymraeg.',
]
const WHY_PLACE: Line = [
  'To see who has a stake in this place, and whom we have not heard.',
  'Pour voir qui a un lien avec ce lieu, et qui nous n’avons pas entendu.',
  'I weld pwy sydd â chysylltiad â’r lle hwn, a phwy nad ydym wedi’u clywed.',
]

const BORN: Pick<StandardBasis, 'label' | 'help' | 'kind' | 'purpose' | 'isAdapted'> = {
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

const SEX: Pick<StandardBasis, 'label' | 'purpose' | 'options'> = {
  label: ['What is your sex?', 'Quel est votre sexe?', 'Beth yw eich rhyw?'],
  purpose: [
    'To see whether women and men take part alike.',
    'Pour voir si les femmes et les hommes participent autant.',
    'I weld a yw menywod a dynion yn cymryd rhan fel ei gilydd.',
  ],
  options: [
    ['female', 'Female', 'Femme', 'Benyw'],
    ['male', 'Male', 'Homme', 'Gwryw'],
  ],
}

const GENDER_IDENTITY: Pick<StandardBasis, 'label' | 'purpose' | 'options' | 'sensitive'> = {
  label: [
    'Is the gender you identify with the same as your sex registered at birth?',
    'Le genre auquel vous vous identifiez est-il le même que le sexe inscrit à votre naissance?',
    'A yw’r rhywedd rydych chi’n uniaethu ag ef yr un peth â’ch rhyw a gofrestrwyd pan gawsoch chi eich geni?',
  ],
  purpose: WHY_GENDER,
  options: [
    ['yes', 'Yes', 'Oui', 'Ydy'],
    ['no', 'No', 'Non', 'Nac ydy'],
  ],
  sensitive: true,
}

const CONDITIONS: Pick<StandardBasis, 'label' | 'help' | 'purpose' | 'options' | 'sensitive'> = {
  label: [
    'Do you have any physical or mental health conditions or illnesses lasting or expected to last 12 months or more?',
    'Avez-vous des problèmes de santé ou des maladies, physiques ou mentaux, qui durent ou devraient durer 12 mois ou plus?',
    'Oes gennych chi gyflwr neu salwch corfforol neu feddyliol sydd wedi para neu sy’n debygol o bara 12 mis neu fwy?',
  ],
  help: [
    'This is about health conditions, illnesses or impairments you may have.',
    'Il s’agit de problèmes de santé, de maladies ou d’incapacités que vous pourriez avoir.',
    'Mae hyn yn ymwneud â chyflwr iechyd, salwch neu nam a all fod gennych chi.',
  ],
  purpose: WHY_HEALTH,
  options: [
    ['yes', 'Yes', 'Oui', 'Oes'],
    ['no', 'No', 'Non', 'Nac oes'],
  ],
  sensitive: true,
}

const LIMITS: Pick<StandardBasis, 'label' | 'help' | 'purpose' | 'options' | 'sensitive'> = {
  label: [
    'Do any of your conditions or illnesses reduce your ability to carry out day-to-day activities?',
    'Vos problèmes de santé ou vos maladies réduisent-ils votre capacité à faire vos activités quotidiennes?',
    'Ydy unrhyw gyflwr neu salwch sydd gennych chi’n lleihau eich gallu i wneud gweithgareddau pob dydd?',
  ],
  help: [
    'This is about whether your health condition or illness currently affects your ability to carry out day-to-day activities.',
    'Il s’agit de savoir si votre problème de santé ou votre maladie nuit actuellement à vos activités quotidiennes.',
    'Mae hyn yn ymwneud â faint o effaith mae eich cyflwr iechyd neu’ch salwch yn ei chael ar eich gallu i wneud gweithgareddau pob dydd ar hyn o bryd.',
  ],
  purpose: WHY_HEALTH,
  options: [
    ['lot', 'Yes, a lot', 'Oui, beaucoup', 'Ydy, yn fawr'],
    ['little', 'Yes, a little', 'Oui, un peu', 'Ydy, ychydig'],
    ['not', 'Not at all', 'Pas du tout', 'Ddim o gwbl'],
  ],
  sensitive: true,
}

const MAIN_LANGUAGE_HELP: Line = [
  'This is the language you use most naturally. For example, it could be the language you use at home.',
  'C’est la langue que vous utilisez le plus naturellement. Par exemple, ce peut être celle que vous parlez à la maison.',
  'Dyma’r iaith rydych chi’n ei defnyddio’n fwyaf naturiol. Er enghraifft, gallai fod yr iaith rydych chi’n ei defnyddio gartref.',
]
const OTHER_LANGUAGE: OptionLine = [
  'other',
  'Other, including British Sign Language',
  'Autre, y compris la langue des signes britannique',
  'Arall, gan gynnwys Iaith Arwyddion Prydain',
]

const ETHNIC_GROUP: Line = ['What is your ethnic group?', 'Quel est votre groupe ethnique?', 'Beth yw eich grŵp ethnig?']
const MIXED: OptionLine = [
  'mixed',
  'Mixed or Multiple ethnic groups',
  'Groupes ethniques mixtes ou multiples',
  'Grwpiau Cymysg neu Amlethnig',
]
const OTHER_GROUP: OptionLine = ['other', 'Other ethnic group', 'Autre groupe ethnique', 'Grŵp ethnig arall']
const WHITE: OptionLine = ['white', 'White', 'Blanc', 'Gwyn']

const UNITED_KINGDOM: readonly StandardQuestion[] = [
  createStandard({ ...BORN, key: 'year-of-birth', place: 'uk' }),
  createStandard({ ...SEX, key: 'sex', place: 'uk' }),
  createStandard({ ...GENDER_IDENTITY, key: 'gender-identity', place: 'uk' }),
  createStandard({
    key: 'ethnic-group',
    place: 'uk',
    label: ETHNIC_GROUP,
    purpose: WHY_GROUP,
    options: [
      WHITE,
      MIXED,
      ['asian', 'Asian or Asian British', 'Asiatique ou Asiatique britannique', 'Asiaidd neu Asiaidd Prydeinig'],
      [
        'black',
        'Black, Black British, Caribbean or African',
        'Noir, Noir britannique, Caribéen ou Africain',
        'Du, Du Prydeinig, Caribïaidd neu Affricanaidd',
      ],
      OTHER_GROUP,
    ],
    sensitive: true,
  }),
  createStandard({ ...CONDITIONS, key: 'health-conditions', place: 'uk' }),
  createStandard({ ...LIMITS, key: 'day-to-day', place: 'uk' }),
  createStandard({
    key: 'main-language',
    place: 'uk',
    label: ['What is your main language?', 'Quelle est votre langue principale?', 'Beth yw eich prif iaith?'],
    help: MAIN_LANGUAGE_HELP,
    purpose: WHY_LANGUAGE,
    options: [['en', 'English', 'Anglais', 'Saesneg'], OTHER_LANGUAGE],
  }),
]

const WALES: readonly StandardQuestion[] = [
  createStandard({ ...BORN, key: 'year-of-birth', place: 'wales' }),
  createStandard({ ...SEX, key: 'sex', place: 'wales' }),
  createStandard({ ...GENDER_IDENTITY, key: 'gender-identity', place: 'wales' }),
  createStandard({
    key: 'ethnic-group',
    place: 'wales',
    label: ETHNIC_GROUP,
    purpose: WHY_GROUP,
    options: [
      WHITE,
      MIXED,
      [
        'asian',
        'Asian, Asian Welsh or Asian British',
        'Asiatique, Asiatique gallois ou Asiatique britannique',
        'Asiaidd, Asiaidd Cymreig neu Asiaidd Prydeinig',
      ],
      [
        'black',
        'Black, Black Welsh, Black British, Caribbean or African',
        'Noir, Noir gallois, Noir britannique, Caribéen ou Africain',
        'Du, Du Cymreig, Du Prydeinig, Caribïaidd neu Affricanaidd',
      ],
      OTHER_GROUP,
    ],
    sensitive: true,
  }),
  createStandard({ ...CONDITIONS, key: 'health-conditions', place: 'wales' }),
  createStandard({ ...LIMITS, key: 'day-to-day', place: 'wales' }),
  createStandard({
    key: 'welsh',
    place: 'wales',
    label: [
      'Can you understand, speak, read or write Welsh?',
      'Pouvez-vous comprendre, parler, lire ou écrire le gallois?',
      'Ydych chi’n gallu deall, siarad, darllen neu ysgrifennu Cymraeg?',
    ],
    purpose: WHY_WELSH,
    kind: 'several-choices',
    options: [
      ['understand', 'Understand spoken Welsh', 'Comprendre le gallois parlé', 'Deall Cymraeg llafar'],
      ['speak', 'Speak Welsh', 'Parler gallois', 'Siarad Cymraeg'],
      ['read', 'Read Welsh', 'Lire le gallois', 'Darllen Cymraeg'],
      ['write', 'Write Welsh', 'Écrire le gallois', 'Ysgrifennu Cymraeg'],
      ['none', 'None of these apply', 'Rien de cela', 'Dim un o’r rhain'],
    ],
  }),
  createStandard({
    key: 'main-language',
    place: 'wales',
    label: ['What is your main language?', 'Quelle est votre langue principale?', 'Beth yw eich prif iaith?'],
    help: MAIN_LANGUAGE_HELP,
    purpose: WHY_LANGUAGE,
    options: [['en-cy', 'English or Welsh', 'Anglais ou gallois', 'Cymraeg neu Saesneg'], OTHER_LANGUAGE],
  }),
]

const CANADA: readonly StandardQuestion[] = [
  createStandard({ ...BORN, key: 'year-of-birth', place: 'canada' }),
  createStandard({
    key: 'gender',
    place: 'canada',
    label: ['What is your gender?', 'Quel est votre genre?', 'Beth yw eich rhywedd?'],
    help: [
      'Refers to current gender which may be different from sex assigned at birth and may be different from what is indicated on legal documents.',
      'On entend par genre le genre actuel, qui peut différer du sexe assigné à la naissance et de ce qui est inscrit dans les documents légaux.',
      'Eich rhywedd presennol, a all fod yn wahanol i’r rhyw a bennwyd pan gawsoch eich geni ac i’r hyn sydd ar ddogfennau cyfreithiol.',
    ],
    purpose: WHY_GENDER,
    options: [
      ['male', 'Male', 'Masculin', 'Gwryw'],
      ['female', 'Female', 'Féminin', 'Benyw'],
      ['other', 'Another gender', 'Un autre genre', 'Rhywedd arall'],
    ],
    sensitive: true,
    isAdapted: true,
  }),
  createStandard({
    key: 'indigenous',
    place: 'canada',
    label: [
      'Are you First Nations, Métis or Inuk (Inuit)?',
      'Êtes-vous Première Nation, Métis ou Inuk (Inuit)?',
      'Ydych chi’n aelod o’r Cenhedloedd Cyntaf, yn Métis neu’n Inuk (Inuit)?',
    ],
    purpose: WHY_GROUP,
    kind: 'several-choices',
    options: [
      [
        'no',
        'No, not First Nations, Métis or Inuk (Inuit)',
        'Non, pas Première Nation, ni Métis ni Inuk (Inuit)',
        'Nac ydw, ddim o’r Cenhedloedd Cyntaf, Métis nac Inuk (Inuit)',
      ],
      [
        'first-nations',
        'Yes, First Nations (North American Indian)',
        'Oui, Première Nation (Indien de l’Amérique du Nord)',
        'Ydw, Cenhedloedd Cyntaf (Indiaid Gogledd America)',
      ],
      ['metis', 'Yes, Métis', 'Oui, Métis', 'Ydw, Métis'],
      ['inuk', 'Yes, Inuk (Inuit)', 'Oui, Inuk (Inuit)', 'Ydw, Inuk (Inuit)'],
    ],
    sensitive: true,
    isAdapted: true,
  }),
  createStandard({
    key: 'population-group',
    place: 'canada',
    label: ['Are you:', 'Êtes-vous :', 'Ydych chi:'],
    help: [
      'Mark more than one or specify, if applicable.',
      'Cochez plus d’une réponse ou précisez, s’il y a lieu.',
      'Dewiswch fwy nag un os yw’n berthnasol.',
    ],
    purpose: WHY_GROUP,
    kind: 'several-choices',
    options: [
      ['white', 'White', 'Blanc', 'Gwyn'],
      [
        'south-asian',
        'South Asian (e.g., East Indian, Pakistani, Sri Lankan)',
        'Sud-Asiatique (p. ex., Indien de l’Inde, Pakistanais, Sri-Lankais)',
        'De-Asiaidd (e.e. Indiaidd, Pacistanaidd, Sri Lancaidd)',
      ],
      ['chinese', 'Chinese', 'Chinois', 'Tsieineaidd'],
      ['black', 'Black', 'Noir', 'Du'],
      ['filipino', 'Filipino', 'Philippin', 'Ffilipinaidd'],
      ['arab', 'Arab', 'Arabe', 'Arabaidd'],
      ['latin-american', 'Latin American', 'Latino-Américain', 'Lladin-Americanaidd'],
      [
        'southeast-asian',
        'Southeast Asian (e.g., Vietnamese, Cambodian, Laotian, Thai)',
        'Asiatique du Sud-Est (p. ex., Vietnamien, Cambodgien, Laotien, Thaïlandais)',
        'De-ddwyrain Asiaidd (e.e. Fietnamaidd, Cambodaidd, Laosaidd, Thai)',
      ],
      [
        'west-asian',
        'West Asian (e.g., Iranian, Afghan)',
        'Asiatique occidental (p. ex., Iranien, Afghan)',
        'Gorllewin-Asiaidd (e.e. Iranaidd, Affganaidd)',
      ],
      ['korean', 'Korean', 'Coréen', 'Coreaidd'],
      ['japanese', 'Japanese', 'Japonais', 'Japaneaidd'],
      ['other', 'Other group', 'Autre groupe', 'Grŵp arall'],
    ],
    sensitive: true,
    isAdapted: true,
  }),
  createStandard({
    key: 'difficulties',
    place: 'canada',
    label: ['Do you have any:', 'Avez-vous :', 'Oes gennych chi unrhyw:'],
    purpose: WHY_HEALTH,
    kind: 'several-choices',
    options: [
      [
        'seeing',
        'Difficulty seeing (even when wearing glasses or contact lenses)',
        'De la difficulté à voir (même avec des lunettes ou des verres de contact)',
        'Anhawster gweld (hyd yn oed gyda sbectol neu lensys cyffwrdd)',
      ],
      [
        'hearing',
        'Difficulty hearing (even when using a hearing aid)',
        'De la difficulté à entendre (même avec un appareil auditif)',
        'Anhawster clywed (hyd yn oed gyda chymorth clyw)',
      ],
      [
        'walking',
        'Difficulty walking, using stairs, using your hands or doing other physical activities',
        'De la difficulté à marcher, à utiliser les escaliers, à vous servir de vos mains ou à faire d’autres activités physiques',
        'Anhawster cerdded, defnyddio grisiau, defnyddio’ch dwylo neu wneud gweithgareddau corfforol eraill',
      ],
      [
        'learning',
        'Difficulty learning, remembering or concentrating',
        'De la difficulté à apprendre, à vous souvenir ou à vous concentrer',
        'Anhawster dysgu, cofio neu ganolbwyntio',
      ],
      [
        'mental',
        'Emotional, psychological or mental health conditions',
        'Des problèmes émotifs, psychologiques ou de santé mentale',
        'Cyflyrau emosiynol, seicolegol neu iechyd meddwl',
      ],
      [
        'long-term',
        'Other health problem or long-term condition that has lasted or is expected to last for six months or more',
        'Un autre problème de santé ou condition de longue durée qui dure ou pourrait durer six mois ou plus',
        'Problem iechyd arall neu gyflwr hirdymor sydd wedi para neu y disgwylir iddo bara chwe mis neu fwy',
      ],
      ['none', 'None of these', 'Aucune de ces réponses', 'Dim un o’r rhain'],
    ],
    sensitive: true,
    isAdapted: true,
  }),
  createStandard({
    key: 'first-language',
    place: 'canada',
    label: [
      'What is the language that you first learned at home in childhood and still understand?',
      'Quelle est la langue que vous avez apprise en premier lieu à la maison dans votre enfance et que vous comprenez encore?',
      'Beth yw’r iaith y gwnaethoch ei dysgu gyntaf gartref yn blentyn ac yr ydych yn dal i’w deall?',
    ],
    help: [
      'If you no longer understand the first language learned, indicate the second language learned.',
      'Si vous ne comprenez plus la première langue apprise, indiquez la seconde langue apprise.',
      'Os nad ydych yn deall yr iaith gyntaf a ddysgoch mwyach, nodwch yr ail iaith.',
    ],
    purpose: WHY_LANGUAGE,
    options: [
      ['en', 'English', 'Anglais', 'Saesneg'],
      ['fr', 'French', 'Français', 'Ffrangeg'],
      ['other', 'Other language', 'Autre langue', 'Iaith arall'],
    ],
    isAdapted: true,
  }),
]

const ANYWHERE: readonly StandardQuestion[] = [
  createStandard({
    key: 'relation',
    place: 'any',
    label: ['What is your connection with the area?', 'Quel est votre lien avec le secteur?', 'Beth yw eich cysylltiad â’r ardal?'],
    purpose: WHY_PLACE,
    kind: 'several-choices',
    options: [
      ['live', 'I live here', 'J’y habite', 'Rwy’n byw yma'],
      ['work', 'I work here', 'J’y travaille', 'Rwy’n gweithio yma'],
      ['study', 'I study here', 'J’y étudie', 'Rwy’n astudio yma'],
      ['business', 'I run a business here', 'J’y dirige une entreprise', 'Rwy’n rhedeg busnes yma'],
      ['visit', 'I visit or pass through', 'J’y viens ou j’y passe', 'Rwy’n ymweld neu’n mynd heibio'],
    ],
  }),
]

/** Questions of the censuses of 2021, in the order of `STANDARD_PLACES`. */
export const STANDARD_QUESTIONS: readonly StandardQuestion[] = [...UNITED_KINGDOM, ...WALES, ...CANADA, ...ANYWHERE]
