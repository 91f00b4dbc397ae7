import { toTranslated, createItems, NONE_OPTION, OTHER_OPTION, type SurveyTemplate } from './template-parts.ts'

export const park: SurveyTemplate = {
  id: 'park',
  title: toTranslated('Your park', 'Votre parc', 'Eich parc'),
  text: toTranslated(
    'Who comes to a park and who does not, why, and what should come first when it is renewed.',
    'Qui vient dans un parc et qui n’y vient pas, pourquoi, et ce qui doit passer en premier lors de son réaménagement.',
    'Pwy sy’n dod i barc a phwy sydd ddim, pam, a beth ddylai ddod gyntaf wrth ei adnewyddu.',
  ),
  intro: toTranslated(
    'The park is to be renewed. Tell us what you do there, or what keeps you away, and what you would like to find.',
    'Le parc sera réaménagé. Dites-nous ce que vous y faites, ou ce qui vous en éloigne, et ce que vous aimeriez y trouver.',
    'Mae’r parc i gael ei adnewyddu. Dywedwch beth rydych chi’n ei wneud yno, neu beth sy’n eich cadw draw, a beth hoffech chi ei gael yno.',
  ),
  minutes: 4,
  definition: {
    schema: 1,
    pages: [
      {
        id: 'visits',
        questions: [
          {
            id: 'visit',
            type: 'yes_no',
            required: true,
            title: toTranslated(
              'Have you been to the park in the last year?',
              'Êtes-vous allé au parc depuis un an?',
              'Ydych chi wedi bod i’r parc yn ystod y flwyddyn ddiwethaf?',
            ),
          },
        ],
      },
      {
        id: 'visitors',
        title: toTranslated('When you are there', 'Quand vous y êtes', 'Pan fyddwch yno'),
        showIf: { question: 'visit', is: 'any_of', options: ['yes'] },
        questions: [
          {
            id: 'doing',
            type: 'several_choices',
            title: toTranslated('What do you do there?', 'Qu’y faites-vous?', 'Beth ydych chi’n ei wneud yno?'),
            options: [
              ...createItems(
                ['walk', 'Walk, or walk a dog', 'Me promener, seul ou avec un chien', 'Cerdded, neu fynd â’r ci am dro'],
                ['play', 'Play with children', 'Jouer avec des enfants', 'Chwarae gyda phlant'],
                ['sport', 'Sport and exercise', 'Faire du sport', 'Chwaraeon ac ymarfer corff'],
                ['meet', 'Meet people', 'Rencontrer des gens', 'Cwrdd â phobl'],
                ['rest', 'Sit and rest', 'M’asseoir et me reposer', 'Eistedd a gorffwys'],
              ),
              OTHER_OPTION,
            ],
          },
          {
            id: 'like',
            type: 'rating',
            look: 'stars',
            title: toTranslated(
              'How do you like it as it is?',
              'Comment l’aimez-vous tel qu’il est?',
              'Sut ydych chi’n ei hoffi fel y mae?',
            ),
            scale: {
              max: 5,
              low: toTranslated('Not at all', 'Pas du tout', 'Ddim o gwbl'),
              high: toTranslated('Very much', 'Beaucoup', 'Yn fawr iawn'),
            },
          },
        ],
      },
      {
        id: 'others',
        title: toTranslated('What keeps you away', 'Ce qui vous en éloigne', 'Beth sy’n eich cadw draw'),
        showIf: { question: 'visit', is: 'any_of', options: ['no'] },
        questions: [
          {
            id: 'away',
            type: 'several_choices',
            title: toTranslated('Why do you not go there?', 'Pourquoi n’y allez-vous pas?', 'Pam nad ydych chi’n mynd yno?'),
            options: [
              ...createItems(
                ['far', 'It is too far', 'C’est trop loin', 'Mae’n rhy bell'],
                ['reach', 'It is hard to reach without a car', 'C’est difficile d’accès sans voiture', 'Mae’n anodd ei gyrraedd heb gar'],
                ['dark', 'I do not feel safe there', 'Je ne m’y sens pas en sécurité', 'Nid wyf yn teimlo’n ddiogel yno'],
                ['nothing', 'It has nothing for me', 'Il n’y a rien pour moi', 'Nid oes dim yno i mi'],
                [
                  'access',
                  'Paths, toilets or seats do not suit me',
                  'Les sentiers, les toilettes ou les bancs ne me conviennent pas',
                  'Nid yw’r llwybrau, y toiledau neu’r seddi’n addas i mi',
                ],
              ),
              OTHER_OPTION,
              NONE_OPTION,
            ],
          },
        ],
      },
      {
        id: 'future',
        title: toTranslated('The new park', 'Le nouveau parc', 'Y parc newydd'),
        questions: [
          {
            id: 'first',
            type: 'ranking',
            maxRanked: 3,
            title: toTranslated('What should come first?', 'Qu’est-ce qui doit passer en premier?', 'Beth ddylai ddod gyntaf?'),
            help: toTranslated('Put up to three in order.', 'Classez-en jusqu’à trois.', 'Rhowch hyd at dri mewn trefn.'),
            options: createItems(
              ['trees', 'More trees and shade', 'Plus d’arbres et d’ombre', 'Mwy o goed a chysgod'],
              ['playground', 'A better playground', 'Un meilleur terrain de jeu', 'Maes chwarae gwell'],
              ['toilets', 'Toilets and water', 'Des toilettes et de l’eau', 'Toiledau a dŵr'],
              ['light', 'Lit paths', 'Des sentiers éclairés', 'Llwybrau wedi’u goleuo'],
              ['seats', 'More places to sit', 'Plus de places assises', 'Mwy o leoedd i eistedd'],
              ['wild', 'Room for wildlife', 'De la place pour la faune', 'Lle i fywyd gwyllt'],
            ),
          },
          {
            id: 'idea',
            type: 'long_text',
            title: toTranslated(
              'One thing you would love to see there',
              'Une chose que vous aimeriez y voir',
              'Un peth y byddech wrth eich bodd yn ei weld yno',
            ),
            maxLength: 1000,
          },
        ],
      },
    ],
  },
}
