import { longText, oneChoice, option, otherOption, page, rating, severalChoices } from '../questions.ts'
import { enFr } from '../texts.ts'
import { afterTheWalk } from './after-the-walk.ts'
import type { DemoProject, DemoSurvey } from '../types.ts'
import { workshops } from './workshops.ts'

const survey: DemoSurvey = {
  slug: 'riverfront-priorities',
  title: enFr('Riverfront priorities', 'Priorités pour la rive'),
  intro: enFr(
    'Six questions about four kilometres of shoreline. What comes first is up to you; all of it cannot come at once.',
    'Six questions sur quatre kilomètres de rive. C’est vous qui dites par où commencer; tout ne peut pas se faire en même temps.',
  ),
  thanks: enFr(
    'Thank you. The first drawings that follow from your answers will be on show from {date:+70}.',
    'Merci. Les premiers dessins inspirés de vos réponses seront exposés à partir du {date:+70}.',
  ),
  status: 'published',
  access: 'anyone',
  resultsPublic: true,
  minutes: 10,
  pages: [
    page(
      'p1',
      enFr('The river and you', 'La rivière et vous'),
      oneChoice(
        'q_visit',
        enFr('How often do you go down to the river?', 'Allez-vous souvent au bord de la rivière?'),
        [
          option('daily', enFr('Most days', 'Presque chaque jour')),
          option('weekly', enFr('Most weeks', 'Presque chaque semaine')),
          option('sometimes', enFr('A few times a year', 'Quelques fois par année')),
          option('never', enFr('Never', 'Jamais')),
        ],
        { required: true, ordered: true },
      ),
      severalChoices('q_barrier', enFr('What keeps you from going more often?', 'Qu’est-ce qui vous empêche d’y aller plus souvent?'), [
        option('road', enFr('Crossing River Road', 'Traverser le chemin de la Rivière')),
        option('dark', enFr('It is dark', 'Il y fait noir')),
        option('toilets', enFr('No washrooms', 'Pas de toilettes')),
        option('steps', enFr('Steps and steep paths', 'Des marches et des pentes')),
        option('nothing', enFr('There is nothing to do there', 'Il n’y a rien à y faire')),
        otherOption(enFr('Something else, please say', 'Autre chose, précisez')),
      ]),
    ),
    page(
      'p2',
      enFr('What gets built first', 'Ce qu’on bâtit en premier'),
      severalChoices(
        'q_first',
        enFr('What should come first?', 'Par où faut-il commencer?'),
        [
          option('beach', enFr('A swimming beach at the old mill', 'Une plage au vieux moulin')),
          option('path', enFr('A path without gaps along the water', 'Un sentier continu au bord de l’eau')),
          option('market', enFr('A market hall on Canal Street pier', 'Une halle au quai de la rue Canal')),
          option('wetland', enFr('A wetland that takes the spring flood', 'Un milieu humide qui absorbe les crues')),
          option('boats', enFr('A boathouse for canoes and rowing', 'Un hangar pour les canots et l’aviron')),
          option('homes', enFr('Homes above shops', 'Des logements au-dessus de commerces')),
        ],
        { required: true, maxChoices: 2 },
      ),
      rating(
        'q_wild',
        enFr('How wild should the shore be?', 'À quel point la rive devrait-elle rester sauvage?'),
        enFr('A promenade', 'Une promenade'),
        enFr('Left to the herons', 'Laissée aux hérons'),
      ),
      oneChoice(
        'q_cars',
        enFr(
          'Should River Road close to cars on summer Sundays?',
          'Faut-il fermer le chemin de la Rivière aux voitures le dimanche en été?',
        ),
        [
          option('yes', enFr('Yes', 'Oui')),
          option('try', enFr('Try it for one summer', 'À l’essai, un été')),
          option('no', enFr('No', 'Non')),
        ],
      ),
      longText(
        'q_dream',
        enFr(
          'It is ten years from now and you are standing by the river. What do you see?',
          'Dans dix ans, vous êtes au bord de la rivière. Que voyez-vous?',
        ),
      ),
    ),
  ],
  crowd: {
    people: 1138,
    usual: {
      q_visit: { o_daily: 17, o_weekly: 35, o_sometimes: 40, o_never: 8 },
      q_barrier: { o_road: 0.44, o_dark: 0.31, o_toilets: 0.37, o_steps: 0.21, o_nothing: 0.16, o_other: 0.04 },
      q_first: { o_beach: 0.48, o_path: 0.43, o_market: 0.22, o_wetland: 0.3, o_boats: 0.12, o_homes: 0.1 },
      q_wild: 3.3,
      q_cars: { o_yes: 37, o_try: 38, o_no: 25 },
      q_dream: 0.4,
    },
    kinds: [
      {
        name: 'swimmer',
        share: 36,
        leans: { q_first: { o_beach: 1.9, o_homes: 0.4 }, q_visit: { o_weekly: 1.4 }, q_cars: { o_yes: 1.4 } },
      },
      {
        name: 'naturalist',
        share: 28,
        leans: { q_first: { o_wetland: 2.2, o_beach: 0.5, o_market: 0.5 }, q_wild: 0.9, q_cars: { o_yes: 1.5, o_no: 0.5 } },
      },
      {
        name: 'townsfolk',
        share: 36,
        leans: { q_first: { o_market: 2, o_homes: 2.2, o_path: 1.2 }, q_wild: -0.8, q_cars: { o_no: 1.7 }, q_barrier: { o_nothing: 1.8 } },
      },
    ],
    words: {
      q_dream: {
        all: {
          en: [
            'Kids jumping off the pier, like my father did.',
            'Herons. And nobody building anything near them.',
            'A long table with people eating at it who did not know each other before.',
            'Water you can see the bottom of.',
            'A path I can push my chair along from the mill to the bridge.',
            'Lights on the water and music that stops at ten.',
            'The factory wall gone, at last.',
            'My canoe, and somewhere to put it in.',
            'Willows.',
            'A place to skate when it freezes.',
            'Signs that tell whose land this was first, in their language.',
            'Exactly what I see today with a washroom.',
            'Fewer trucks and more bicycles.',
            'A ferry to the island again.',
          ],
          'fr-CA': [
            'Des enfants qui sautent du quai, comme mon père le faisait.',
            'Des hérons, et rien de bâti autour.',
            'Une grande table où l’on mange avec des inconnus.',
            'De l’eau si claire qu’on voit le fond.',
            'Un sentier sans trous, du moulin au pont.',
            'Des saules et des bancs.',
            'Une patinoire quand ça gèle.',
            'Le traversier vers l’île, comme avant.',
            'Moins de camions, plus de vélos.',
          ],
        },
      },
      'q_barrier.other': {
        all: {
          en: ['Geese', 'No parking for my van', 'Off-leash dogs', 'The smell in August', 'Mosquitoes'],
          'fr-CA': ['Les bernaches', 'Les chiens sans laisse', 'Les moustiques', 'L’odeur en août'],
        },
      },
    },
  },
}

export const riverfront: DemoProject = {
  slug: 'riverfront',
  hub: 'parks-riverfront',
  topic: 'parks',
  title: enFr('What should the riverfront become?', 'Que devrait devenir la rive?'),
  summary: enFr(
    'Riverbend is redrawing four kilometres of shoreline. Ten minutes from you will shape what gets built first.',
    'Riverbend redessine quatre kilomètres de rive. Dix minutes de votre temps détermineront par où l’on commence.',
  ),
  body: enFr(
    `For a hundred and ten years the river was the back door of Riverbend: mills, rails, a coal yard and a fence. The mills are gone. The city now owns the shore from the old mill to the railway bridge, and for the first time all of it can be public.

There is room for a beach, a market hall, a wetland, homes and a path that does not stop at every fence. There is not money for all of it at once. The first 38 million dollars should go where they matter most to you.

## What will not change
- The shore stays public: no private lots at the water’s edge.
- The heron colony below the bridge stays closed from April to July.
- The First Nation whose land this is leads the work at the burial ground, and that part is not in this survey.

## Next steps
Your answers set the order. Three teams of designers then draw what comes first, and you see the drawings before Council does.`,
    `Pendant cent dix ans, la rivière a été l’arrière-cour de Riverbend : des usines, des rails, une cour à charbon et une clôture. Les usines ont fermé. La Ville possède maintenant la rive, du vieux moulin au pont ferroviaire, et pour la première fois tout peut y devenir public.

Il y a de la place pour une plage, une halle, un milieu humide, des logements et un sentier qui ne bute plus sur des clôtures. Il n’y a pas d’argent pour tout à la fois. Les 38 premiers millions de dollars devraient aller là où ils comptent le plus pour vous.

## Ce qui ne changera pas
- La rive reste publique : aucun terrain privé au bord de l’eau.
- La héronnière en aval du pont reste fermée d’avril à juillet.
- La Première Nation dont c’est le territoire dirige les travaux au lieu de sépulture; cette partie ne figure pas dans le sondage.

## La suite
Vos réponses fixent l’ordre. Trois équipes dessinent ensuite ce qui vient en premier, et vous voyez les dessins avant le conseil municipal.`,
  ),
  picture: '/demo/riverbend/riverfront.svg',
  pictureAlt: enFr(
    'Drawing of a pier, canoes and an old mill by the river',
    'Dessin d’un quai, de canots et d’un vieux moulin au bord de la rivière',
  ),
  status: 'published',
  opens: -18,
  closes: 34,
  place: {
    address: enFr('The shore from the old mill to the railway bridge', 'La rive, du vieux moulin au pont ferroviaire'),
    lat: 45.0148,
    lng: -74.7261,
  },
  team: [
    { name: 'Tess Benedict', role: enFr('Riverfront lead', 'Responsable de la rive'), email: 'tess.benedict' },
    { name: 'Julie Tran', role: enFr('Landscape architect', 'Architecte paysagiste'), email: 'julie.tran' },
  ],
  dates: [
    { title: enFr('Survey opens', 'Ouverture du sondage'), day: -18 },
    { title: enFr('Walk the shore with a biologist', 'Marche sur la rive avec une biologiste'), day: 7, precision: 'time' },
    { title: enFr('Survey closes', 'Clôture du sondage'), day: 34 },
    { title: enFr('First drawings on show', 'Exposition des premiers dessins'), day: 70, precision: 'month' },
  ],
  documents: [
    {
      title: enFr('The shore today, in maps and measurements', 'La rive aujourd’hui, cartes et mesures (en anglais)'),
      file: '/demo/documents/riverbend-riverfront-en.pdf',
      language: 'en',
    },
  ],
  updates: [
    {
      slug: 'riverfront-fence-opens',
      title: enFr('The mill gate is open for the first time since 1961', 'La barrière du moulin s’ouvre pour la première fois depuis 1961'),
      body: enFr(
        'You can now walk down to the water behind the old mill, every day until dusk. Go and look before you answer.',
        'Vous pouvez maintenant descendre jusqu’à l’eau derrière le vieux moulin, tous les jours jusqu’à la brunante. Allez voir avant de répondre.',
      ),
      day: -9,
    },
  ],
  surveys: [survey, afterTheWalk, workshops],
}
