import { CANADA } from './canadian-questions.ts'
import {
  BORN,
  createStandard,
  type Line,
  type OptionLine,
  type StandardBasis,
  type StandardQuestion,
  WHY_GENDER,
  WHY_GROUP,
  WHY_HEALTH,
  WHY_LANGUAGE,
  WHY_PLACE,
  WHY_WELSH,
} from './standard-question.ts'

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
