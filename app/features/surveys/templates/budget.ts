import { toTranslated, createItems, OTHER_OPTION, type SurveyTemplate } from './template-parts.ts'

const SERVICES = [
  ['roads', 'Roads and sidewalks', 'Les rues et les trottoirs', 'Ffyrdd a phalmentydd'],
  ['transit', 'Public transport', 'Le transport en commun', 'Trafnidiaeth gyhoeddus'],
  ['parks', 'Parks and sport', 'Les parcs et les sports', 'Parciau a chwaraeon'],
  ['libraries', 'Libraries and culture', 'Les bibliothèques et la culture', 'Llyfrgelloedd a diwylliant'],
  ['housing', 'Housing', 'Le logement', 'Tai'],
  ['climate', 'Climate and floods', 'Le climat et les inondations', 'Hinsawdd a llifogydd'],
] as const

export const budget: SurveyTemplate = {
  id: 'budget',
  title: toTranslated('Priorities for the budget', 'Les priorités du budget', 'Blaenoriaethau’r gyllideb'),
  text: toTranslated(
    'People share out a budget and say where they would save, so that choices are weighed against each other.',
    'Les gens répartissent un budget et disent où ils économiseraient : les choix sont ainsi pesés les uns par rapport aux autres.',
    'Mae pobl yn rhannu cyllideb ac yn dweud ble y byddent yn arbed, fel bod dewisiadau’n cael eu pwyso yn erbyn ei gilydd.',
  ),
  intro: toTranslated(
    'Each year we decide what to spend on which service. There is never enough for everything: how would you choose?',
    'Chaque année, nous décidons combien dépenser pour chaque service. Il n’y en a jamais assez pour tout : que choisiriez-vous?',
    'Bob blwyddyn rydym yn penderfynu faint i’w wario ar bob gwasanaeth. Nid oes byth ddigon i bopeth: sut fyddech chi’n dewis?',
  ),
  minutes: 4,
  definition: {
    schema: 1,
    pages: [
      {
        id: 'share',
        title: toTranslated('Your budget', 'Votre budget', 'Eich cyllideb'),
        questions: [
          {
            id: 'split',
            type: 'budget',
            measure: 'percent',
            total: 100,
            title: toTranslated(
              'Share out 100 per cent among these services',
              'Répartissez 100 % entre ces services',
              'Rhannwch 100 y cant rhwng y gwasanaethau hyn',
            ),
            options: createItems(...SERVICES),
          },
          {
            id: 'save',
            type: 'several_choices',
            maxChoices: 2,
            shuffle: true,
            title: toTranslated(
              'If we had to save, where should we begin?',
              'S’il fallait économiser, par où devrions-nous commencer?',
              'Pe bai rhaid i ni arbed, ble ddylem ni ddechrau?',
            ),
            help: toTranslated('Choose up to two.', 'Choisissez-en au plus deux.', 'Dewiswch hyd at ddau.'),
            options: [...createItems(...SERVICES), OTHER_OPTION],
          },
        ],
      },
      {
        id: 'tax',
        title: toTranslated('Taxes and fees', 'Taxes et tarifs', 'Trethi a ffioedd'),
        questions: [
          {
            id: 'pay',
            type: 'one_choice',
            title: toTranslated('Which would you rather have?', 'Que préférez-vous?', 'Pa un fyddai’n well gennych?'),
            options: createItems(
              [
                'more',
                'Better services, for a little more tax',
                'De meilleurs services, pour un peu plus de taxes',
                'Gwasanaethau gwell, am ychydig mwy o dreth',
              ],
              [
                'same',
                'Services as they are, for the same tax',
                'Les mêmes services, pour les mêmes taxes',
                'Gwasanaethau fel y maent, am yr un dreth',
              ],
              ['less', 'Fewer services, for less tax', 'Moins de services, pour moins de taxes', 'Llai o wasanaethau, am lai o dreth'],
            ),
          },
          {
            id: 'which',
            type: 'short_text',
            maxLength: 200,
            title: toTranslated(
              'Which service would you better first?',
              'Quel service amélioreriez-vous en premier?',
              'Pa wasanaeth fyddech chi’n ei wella gyntaf?',
            ),
            showIf: { question: 'pay', is: 'any_of', options: ['more'] },
          },
          {
            id: 'why',
            type: 'long_text',
            maxLength: 1500,
            title: toTranslated(
              'Anything else we should weigh',
              'Autre chose à prendre en compte',
              'Unrhyw beth arall y dylem ei ystyried',
            ),
          },
        ],
      },
    ],
  },
}
