import { AGREEMENT, createItems, toTranslated, type SurveyTemplate } from './template-parts.ts'

export const plan: SurveyTemplate = {
  id: 'plan',
  title: toTranslated('Your view of the draft plan', 'Votre avis sur le projet de plan', 'Eich barn am y cynllun drafft'),
  text: toTranslated(
    'What people think of a draft plan: its goals, what should come first, and what is missing. It can be answered without reading the whole plan.',
    'Ce que les gens pensent d’un projet de plan : ses objectifs, ce qui doit passer en premier et ce qui manque. On peut y répondre sans avoir lu tout le plan.',
    'Beth yw barn pobl am gynllun drafft: ei nodau, beth ddylai ddod gyntaf, a beth sydd ar goll. Gellir ei ateb heb ddarllen y cynllun cyfan.',
  ),
  intro: toTranslated(
    'The draft plan says how this place could change over the next ten years. Tell us whether its goals are the right ones. You do not need to have read all of it.',
    'Le projet de plan indique comment ce secteur pourrait changer au cours des dix prochaines années. Dites-nous si ses objectifs sont les bons. Il n’est pas nécessaire de l’avoir lu en entier.',
    'Mae’r cynllun drafft yn dweud sut y gallai’r lle hwn newid dros y deng mlynedd nesaf. Dywedwch a yw ei nodau’n gywir. Nid oes angen i chi fod wedi ei ddarllen i gyd.',
  ),
  minutes: 5,
  definition: {
    schema: 1,
    pages: [
      {
        id: 'plan',
        title: toTranslated('The plan and you', 'Le plan et vous', 'Y cynllun a chi'),
        questions: [
          {
            id: 'here',
            type: 'several_choices',
            title: toTranslated(
              'What connects you with this place?',
              'Qu’est-ce qui vous lie à ce secteur?',
              'Beth sy’n eich cysylltu â’r lle hwn?',
            ),
            options: createItems(
              ['live', 'I live here', 'J’y habite', 'Rwy’n byw yma'],
              ['work', 'I work or study here', 'J’y travaille ou j’y étudie', 'Rwy’n gweithio neu’n astudio yma'],
              ['business', 'I run a business here', 'J’y exploite une entreprise', 'Rwy’n rhedeg busnes yma'],
              ['visit', 'I visit or pass through', 'J’y viens ou j’y passe', 'Rwy’n ymweld neu’n mynd drwodd'],
            ),
          },
          {
            id: 'read',
            type: 'one_choice',
            title: toTranslated(
              'How much of the draft have you read?',
              'Quelle partie du projet avez-vous lue?',
              'Faint o’r drafft ydych chi wedi’i ddarllen?',
            ),
            options: createItems(
              ['all', 'All or most of it', 'La totalité ou presque', 'Y cyfan neu’r rhan fwyaf'],
              ['summary', 'The summary', 'Le résumé', 'Y crynodeb'],
              ['none', 'None of it yet', 'Rien pour l’instant', 'Dim ohono eto'],
            ),
          },
        ],
      },
      {
        id: 'goals',
        title: toTranslated('The goals', 'Les objectifs', 'Y nodau'),
        questions: [
          {
            id: 'agree',
            type: 'likert',
            title: toTranslated(
              'How far do you agree with each goal?',
              'À quel point êtes-vous d’accord avec chaque objectif?',
              'I ba raddau ydych chi’n cytuno â phob nod?',
            ),
            rows: createItems(
              ['homes', 'More homes, of different sizes', 'Plus de logements, de tailles variées', 'Mwy o gartrefi, o wahanol feintiau'],
              [
                'near',
                'Shops and services within a short walk',
                'Des commerces et des services à quelques pas',
                'Siopau a gwasanaethau o fewn taith gerdded fer',
              ],
              ['green', 'More parks and trees', 'Plus de parcs et d’arbres', 'Mwy o barciau a choed'],
              ['move', 'Easier to get around without a car', 'Des déplacements plus faciles sans voiture', 'Haws symud o gwmpas heb gar'],
              [
                'heritage',
                'Old buildings kept and used',
                'Des bâtiments anciens conservés et utilisés',
                'Hen adeiladau’n cael eu cadw a’u defnyddio',
              ],
            ),
            columns: AGREEMENT,
          },
          {
            id: 'first',
            type: 'ranking',
            maxRanked: 3,
            title: toTranslated('Which should come first?', 'Lequel doit passer en premier?', 'Pa un ddylai ddod gyntaf?'),
            help: toTranslated('Put up to three in order.', 'Classez-en jusqu’à trois.', 'Rhowch hyd at dri mewn trefn.'),
            options: createItems(
              ['homes', 'Homes', 'Le logement', 'Cartrefi'],
              ['near', 'Shops and services nearby', 'Les commerces et services de proximité', 'Siopau a gwasanaethau gerllaw'],
              ['green', 'Parks and trees', 'Les parcs et les arbres', 'Parciau a choed'],
              ['move', 'Getting around', 'Les déplacements', 'Symud o gwmpas'],
              ['heritage', 'Old buildings', 'Les bâtiments anciens', 'Hen adeiladau'],
            ),
          },
        ],
      },
      {
        id: 'words',
        title: toTranslated('In your own words', 'Dans vos mots', 'Yn eich geiriau eich hun'),
        questions: [
          {
            id: 'missing',
            type: 'long_text',
            maxLength: 2000,
            title: toTranslated('What is missing from the plan?', 'Que manque-t-il au plan?', 'Beth sydd ar goll o’r cynllun?'),
          },
          {
            id: 'worry',
            type: 'long_text',
            maxLength: 2000,
            title: toTranslated('What worries you about it?', 'Qu’est-ce qui vous y préoccupe?', 'Beth sy’n eich poeni amdano?'),
          },
        ],
      },
    ],
  },
}
