import { toTranslated, AGREEMENT, createItems, OTHER_OPTION, type SurveyTemplate } from './template-parts.ts'

export const traffic: SurveyTemplate = {
  id: 'traffic',
  title: toTranslated('Changes to your street', 'Des changements dans votre rue', 'Newidiadau i’ch stryd'),
  text: toTranslated(
    'How people use a street, what troubles them, and what they think of a scheme. Those who do not use it are not asked about it.',
    'Comment les gens utilisent une rue, ce qui les dérange et ce qu’ils pensent d’un projet. Qui ne l’utilise pas n’est pas interrogé à son sujet.',
    'Sut mae pobl yn defnyddio stryd, beth sy’n eu poeni, a’u barn am gynllun. Ni holir y rhai nad ydynt yn ei defnyddio.',
  ),
  intro: toTranslated(
    'We are planning changes to how traffic moves here. Tell us how you use the street now and what you think of the plans.',
    'Nous prévoyons modifier la circulation ici. Dites-nous comment vous utilisez la rue et ce que vous pensez du projet.',
    'Rydym yn cynllunio newidiadau i’r ffordd y mae traffig yn symud yma. Dywedwch sut rydych chi’n defnyddio’r stryd nawr a’ch barn am y cynlluniau.',
  ),
  minutes: 5,
  definition: {
    schema: 1,
    pages: [
      {
        id: 'now',
        title: toTranslated('The street today', 'La rue aujourd’hui', 'Y stryd heddiw'),
        questions: [
          {
            id: 'often',
            type: 'one_choice',
            required: true,
            title: toTranslated(
              'How often do you use the street?',
              'À quelle fréquence utilisez-vous la rue?',
              'Pa mor aml ydych chi’n defnyddio’r stryd?',
            ),
            options: createItems(
              ['daily', 'Most days', 'Presque tous les jours', 'Y rhan fwyaf o ddyddiau'],
              ['weekly', 'About once a week', 'Environ une fois par semaine', 'Tuag unwaith yr wythnos'],
              ['rarely', 'Less often', 'Moins souvent', 'Yn llai aml'],
              ['never', 'Never', 'Jamais', 'Byth'],
            ),
          },
        ],
        next: [{ when: { question: 'often', is: 'any_of', options: ['never'] }, page: 'plans' }],
      },
      {
        id: 'use',
        title: toTranslated('How you use it', 'Comment vous l’utilisez', 'Sut rydych chi’n ei defnyddio'),
        questions: [
          {
            id: 'mode',
            type: 'several_choices',
            title: toTranslated('How do you travel along it?', 'Comment vous y déplacez-vous?', 'Sut ydych chi’n teithio ar hyd-ddi?'),
            options: [
              ...createItems(
                ['foot', 'On foot', 'À pied', 'Ar droed'],
                [
                  'wheel',
                  'With a wheelchair or pushchair',
                  'En fauteuil roulant ou avec une poussette',
                  'Gyda chadair olwyn neu gadair wthio',
                ],
                ['bike', 'By bicycle', 'À vélo', 'Ar feic'],
                ['bus', 'By bus', 'En autobus', 'Ar fws'],
                ['car', 'By car or van', 'En voiture ou en camionnette', 'Mewn car neu fan'],
              ),
              OTHER_OPTION,
            ],
          },
          {
            id: 'safe',
            type: 'rating',
            title: toTranslated(
              'How safe do you feel there?',
              'À quel point vous y sentez-vous en sécurité?',
              'Pa mor ddiogel ydych chi’n teimlo yno?',
            ),
            scale: {
              max: 5,
              low: toTranslated('Not at all', 'Pas du tout', 'Ddim o gwbl'),
              high: toTranslated('Very', 'Tout à fait', 'Iawn'),
            },
          },
          {
            id: 'unsafe',
            type: 'place',
            title: toTranslated(
              'Where do you feel least safe?',
              'Où vous sentez-vous le moins en sécurité?',
              'Ble ydych chi’n teimlo leiaf diogel?',
            ),
            showIf: { question: 'safe', is: 'at_most', value: 3 },
          },
        ],
      },
      {
        id: 'plans',
        title: toTranslated('The plans', 'Le projet', 'Y cynlluniau'),
        questions: [
          {
            id: 'agree',
            type: 'likert',
            title: toTranslated(
              'How far do you agree with each part?',
              'À quel point êtes-vous d’accord avec chaque élément?',
              'I ba raddau ydych chi’n cytuno â phob rhan?',
            ),
            rows: createItems(
              ['slower', 'A lower speed limit', 'Une limite de vitesse plus basse', 'Terfyn cyflymder is'],
              ['crossings', 'More crossings', 'Davantage de passages pour piétons', 'Mwy o groesfannau'],
              ['lane', 'A separate bicycle lane', 'Une voie cyclable séparée', 'Lôn feiciau ar wahân'],
              ['parking', 'Fewer parking places', 'Moins de places de stationnement', 'Llai o leoedd parcio'],
            ),
            columns: AGREEMENT,
          },
          {
            id: 'change',
            type: 'long_text',
            title: toTranslated(
              'What would you change in the plans?',
              'Que changeriez-vous au projet?',
              'Beth fyddech chi’n ei newid yn y cynlluniau?',
            ),
            maxLength: 2000,
          },
        ],
      },
    ],
  },
}
