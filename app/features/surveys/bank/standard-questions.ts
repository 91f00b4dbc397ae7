import type { QuestionOf } from '../surveys.schema.ts'

/**
 * Standard demographic questions in the three languages. Their ids and option ids must never change, so that the figures of all surveys
 * that use them stay comparable.
 */

type Demographic = QuestionOf<'demographic'>
type TranslatedLine = readonly [id: string, en: string, fr: string, cy: string]

const toTranslated = ([, en, fr, cy]: TranslatedLine) => ({ en, 'fr-CA': fr, cy })
const WITHHELD: TranslatedLine = ['withheld', 'Prefer not to say', 'Je préfère ne pas répondre', 'Mae’n well gennyf beidio â dweud']
const HELP: TranslatedLine = [
  'help',
  'You need not answer. It helps us see whether we hear from everyone.',
  'Vous n’êtes pas tenu de répondre. Cela nous aide à savoir si nous entendons tout le monde.',
  'Nid oes rhaid i chi ateb. Mae’n ein helpu i weld a ydym yn clywed gan bawb.',
]

const createDemographic = (title: TranslatedLine, options: readonly TranslatedLine[]): Demographic => ({
  id: title[0],
  bank: title[0],
  type: 'demographic',
  title: toTranslated(title),
  help: toTranslated(HELP),
  options: [...options, WITHHELD].map((option) => ({
    id: option[0],
    label: toTranslated(option),
    ...(option[0] === 'other' && { other: true }),
  })),
})

const OTHER_OPTION: TranslatedLine = ['other', 'In another way', 'Autrement', 'Mewn ffordd arall']

export const STANDARD_QUESTIONS: readonly Demographic[] = [
  createDemographic(
    ['std-age', 'How old are you?', 'Quel âge avez-vous?', 'Faint yw eich oed?'],
    [
      ['u16', 'Under 16', 'Moins de 16 ans', 'Dan 16'],
      ['a16', '16 to 24', '16 à 24 ans', '16 i 24'],
      ['a25', '25 to 34', '25 à 34 ans', '25 i 34'],
      ['a35', '35 to 44', '35 à 44 ans', '35 i 44'],
      ['a45', '45 to 54', '45 à 54 ans', '45 i 54'],
      ['a55', '55 to 64', '55 à 64 ans', '55 i 64'],
      ['a65', '65 to 74', '65 à 74 ans', '65 i 74'],
      ['a75', '75 or over', '75 ans ou plus', '75 neu hŷn'],
    ],
  ),
  createDemographic(
    ['std-gender', 'How do you describe your gender?', 'Comment décrivez-vous votre genre?', 'Sut ydych chi’n disgrifio eich rhywedd?'],
    [
      ['woman', 'Woman', 'Femme', 'Menyw'],
      ['man', 'Man', 'Homme', 'Dyn'],
      ['nonbinary', 'Non-binary', 'Non binaire', 'Anneuaidd'],
      OTHER_OPTION,
    ],
  ),
  createDemographic(
    ['std-link', 'What is your connection with the area?', 'Quel est votre lien avec le secteur?', 'Beth yw eich cysylltiad â’r ardal?'],
    [
      ['live', 'I live here', 'J’y habite', 'Rwy’n byw yma'],
      ['work', 'I work here', 'J’y travaille', 'Rwy’n gweithio yma'],
      ['study', 'I study here', 'J’y étudie', 'Rwy’n astudio yma'],
      ['business', 'I run a business here', 'J’y dirige une entreprise', 'Rwy’n rhedeg busnes yma'],
      ['visit', 'I visit or pass through', 'J’y viens ou j’y passe', 'Rwy’n ymweld neu’n mynd heibio'],
    ],
  ),
  createDemographic(
    [
      'std-years',
      'How long have you lived in the area?',
      'Depuis combien de temps habitez-vous le secteur?',
      'Ers faint ydych chi’n byw yn yr ardal?',
    ],
    [
      ['y0', 'Less than a year', 'Moins d’un an', 'Llai na blwyddyn'],
      ['y1', '1 to 5 years', '1 à 5 ans', '1 i 5 mlynedd'],
      ['y5', '6 to 20 years', '6 à 20 ans', '6 i 20 mlynedd'],
      ['y20', 'More than 20 years', 'Plus de 20 ans', 'Mwy nag 20 mlynedd'],
      ['none', 'I do not live in the area', 'Je n’habite pas le secteur', 'Nid wyf yn byw yn yr ardal'],
    ],
  ),
  createDemographic(
    ['std-home', 'What is your home?', 'Comment êtes-vous logé?', 'Beth yw eich cartref?'],
    [
      [
        'own',
        'I own it, with or without a mortgage',
        'J’en suis propriétaire, avec ou sans hypothèque',
        'Fi sy’n berchen arno, gyda morgais neu hebddo',
      ],
      ['private', 'I rent it privately', 'Je le loue à un propriétaire privé', 'Rwy’n ei rentu’n breifat'],
      [
        'social',
        'I rent it from the city or a housing association',
        'Je le loue à la ville ou à un organisme sans but lucratif',
        'Rwy’n ei rentu gan y cyngor neu gymdeithas dai',
      ],
      ['family', 'I live with family or friends', 'J’habite chez des proches', 'Rwy’n byw gyda theulu neu ffrindiau'],
      OTHER_OPTION,
    ],
  ),
  createDemographic(
    [
      'std-disability',
      'Does a health condition or disability limit what you do day to day?',
      'Un problème de santé ou un handicap limite-t-il vos activités quotidiennes?',
      'A oes cyflwr iechyd neu anabledd yn cyfyngu ar eich gweithgareddau o ddydd i ddydd?',
    ],
    [
      ['lot', 'Yes, a lot', 'Oui, beaucoup', 'Oes, yn fawr'],
      ['little', 'Yes, a little', 'Oui, un peu', 'Oes, ychydig'],
      ['no', 'No', 'Non', 'Nac oes'],
    ],
  ),
  createDemographic(
    [
      'std-children',
      'Do children under 18 live with you?',
      'Des enfants de moins de 18 ans vivent-ils avec vous?',
      'A oes plant dan 18 oed yn byw gyda chi?',
    ],
    [
      ['young', 'Yes, the youngest is under 5', 'Oui, le plus jeune a moins de 5 ans', 'Oes, mae’r ieuengaf dan 5'],
      ['school', 'Yes, the youngest is 5 to 17', 'Oui, le plus jeune a de 5 à 17 ans', 'Oes, mae’r ieuengaf rhwng 5 ac 17'],
      ['no', 'No', 'Non', 'Nac oes'],
    ],
  ),
  createDemographic(
    ['std-work', 'What do you mostly do?', 'Quelle est votre occupation principale?', 'Beth ydych chi’n ei wneud yn bennaf?'],
    [
      ['work', 'I work', 'Je travaille', 'Rwy’n gweithio'],
      ['study', 'I study', 'J’étudie', 'Rwy’n astudio'],
      ['care', 'I care for family or others', 'Je m’occupe de ma famille ou d’autres personnes', 'Rwy’n gofalu am deulu neu eraill'],
      ['seek', 'I am looking for work', 'Je cherche du travail', 'Rwy’n chwilio am waith'],
      ['retired', 'I am retired', 'Je suis à la retraite', 'Rwyf wedi ymddeol'],
      OTHER_OPTION,
    ],
  ),
]
