import { enFr } from '../texts.ts'
import type { DemoPlaces } from '../types.ts'

/** Where people want trees. Titles and texts name a street of the ward that the place lies in. */
export const trees: DemoPlaces = {
  project: 'riverfront',
  boundaries: 'wards',
  activity: {
    slug: 'trees',
    title: enFr('Where should we plant trees?', 'Où devrions-nous planter des arbres?'),
    intro: enFr(
      'We plant 400 trees this autumn. Point at a place that needs shade, and say why. We check pipes and cables before we promise one.',
      'Nous plantons 400 arbres cet automne. Indiquez un endroit qui manque d’ombre, et dites pourquoi. Nous vérifions les conduites et les câbles avant de promettre un arbre.',
    ),
    categories: [
      { id: 'street', title: enFr('Street', 'Rue') },
      { id: 'school', title: enFr('School or playground', 'École ou terrain de jeu') },
      { id: 'stop', title: enFr('Bus stop', 'Arrêt d’autobus') },
      { id: 'park', title: enFr('Park or square', 'Parc ou place') },
      { id: 'water', title: enFr('By the water', 'Au bord de l’eau') },
    ],
    fields: [
      {
        id: 'plant',
        type: 'one_choice',
        title: enFr('What should be planted?', 'Que faut-il planter?'),
        shownTo: 'public',
        options: [
          { id: 'shade', label: enFr('A tall shade tree', 'Un grand arbre d’ombrage') },
          { id: 'flowering', label: enFr('A flowering tree', 'Un arbre à fleurs') },
          { id: 'fruit', label: enFr('A fruit tree', 'Un arbre fruitier') },
          { id: 'conifer', label: enFr('A conifer', 'Un conifère') },
        ],
      },
      {
        id: 'care',
        type: 'short_text',
        title: enFr('Who could water it in its first summer?', 'Qui pourrait l’arroser le premier été?'),
        help: enFr(
          'A neighbour, a school, a shop: the first summer decides.',
          'Un voisin, une école, un commerce : le premier été est décisif.',
        ),
        shownTo: 'staff',
      },
    ],
  },
  care: {
    en: ['I can, I live across the street.', 'The caretaker of the school.', 'The café on the corner has a tap.'],
    'fr-CA': ['Moi, j’habite en face.', 'Le concierge de l’école.', 'Le café du coin a un robinet.'],
  },
  count: 300,
  layer: {
    name: enFr('Floodplain of the river', 'Plaine inondable du fleuve'),
    pattern: 'waves',
    columns: ['Zone', 'Flooded about every'],
    features: [
      {
        cells: ['Old Harbour', '20 years'],
        area: [
          -74.7612, 44.9985, -74.745, 44.9982, -74.7352, 44.998, -74.7349, 45.0042, -74.7392, 45.0061, -74.746, 45.0054, -74.7531, 45.0068,
          -74.7609, 45.0052, -74.7612, 44.9985,
        ],
      },
      {
        cells: ['Millside', '50 years'],
        area: [
          -74.7343, 44.998, -74.7205, 44.9979, -74.7081, 44.9985, -74.708, 45.0021, -74.7138, 45.0035, -74.7201, 45.0062, -74.7229, 45.0098,
          -74.7253, 45.0095, -74.7248, 45.0051, -74.7291, 45.0038, -74.7342, 45.0041, -74.7343, 44.998,
        ],
      },
      {
        cells: ['South Shore', '100 years'],
        area: [
          -74.7072, 44.9988, -74.6921, 44.9985, -74.6768, 44.9992, -74.6771, 45.003, -74.6853, 45.0046, -74.6949, 45.0027, -74.7071,
          45.0022, -74.7072, 44.9988,
        ],
      },
    ],
  },
  streets: {
    Westend: ['Spruce Street', 'Quarry Road', 'Ninth Street', 'Westend Avenue'],
    'Old Harbour': ['Harbour Road', 'Canal Street', 'Chandler Lane', 'Grain Pier'],
    Millside: ['Mill Street', 'Mill Lane', 'Fern Street', 'Weaver Street'],
    'South Shore': ['Harbour Walk', 'Osprey Street', 'Ferry Road', 'Shore Drive'],
    'Cedar Hill': ['Cedar Street', 'Orchard Road', 'Hilltop Crescent', 'Third Street'],
    Northgate: ['Northgate Road', 'Library Street', 'King Street', 'Maple Avenue'],
    'Sainte-Anne': ['Rue Sainte-Anne', 'Rue du Couvent', 'Rue Lafleur', 'Place du Marché'],
    'Heron Park': ['Heron Street', 'River Road', 'Willow Walk', 'Marsh Lane'],
  },
  subjects: {
    en: [
      {
        category: 'stop',
        title: 'Shade for the bus stop on {street}',
        body: 'People wait here in full sun. In July the bench is too hot to sit on.',
      },
      {
        category: 'street',
        title: 'A row of limes along {street}',
        body: 'The sidewalk is wide enough on the north side, and there are no wires above it.',
      },
      {
        category: 'school',
        title: 'Trees for the school gate on {street}',
        body: 'Two hundred children stand here at half past three, and there is not one leaf over them.',
      },
      {
        category: 'street',
        title: 'Replace the maple that fell on {street}',
        body: 'The storm took it three years ago. The stump went, the hole was paved, and the afternoon sun has been in our kitchens since.',
      },
      {
        category: 'park',
        title: 'Two oaks by the benches on {street}',
        body: 'Older people rest here on the way back from the shops. They move on when the sun comes round.',
      },
      {
        category: 'park',
        title: 'Fruit trees in the small square off {street}',
        body: 'Neighbours would look after them. Seven households have said so already.',
      },
      {
        category: 'street',
        title: 'Something green in front of number 40, {street}',
        body: 'The car park is all asphalt. One tree in each corner would take four spaces that are never full.',
      },
      {
        category: 'stop',
        title: 'A tree where the 7 turns into {street}',
        body: 'There is a shelter, but it is glass. At noon it is a greenhouse.',
      },
      {
        category: 'school',
        title: 'Shade over the sandpit near {street}',
        body: 'We bring umbrellas for the children. A maple would do it better.',
      },
      {
        category: 'water',
        title: 'Willows on the bare bank below {street}',
        body: 'The bank washes out each spring. Roots would hold it.',
      },
      {
        category: 'street',
        title: 'Slow the cars on {street} with trees',
        body: 'A street that looks like a runway is driven like one. Trees on both sides make people slow down.',
      },
      {
        category: 'park',
        title: 'Break the wind on the corner of {street}',
        body: 'It blows straight off the river here. Three pines would make the playing field usable in March.',
      },
      {
        category: 'street',
        title: 'Give the cyclists on {street} some shade',
        body: 'The new lane is good, but there is no tree for nine hundred metres.',
      },
      { category: 'water', title: 'An alder at the boat steps, {street}', body: 'Families put in here all summer and wait on hot stone.' },
    ],
    'fr-CA': [
      { category: 'stop', title: 'De l’ombre pour l’arrêt de {street}', body: 'On attend ici en plein soleil. En juillet, le banc brûle.' },
      {
        category: 'street',
        title: 'Une rangée de tilleuls le long de {street}',
        body: 'Le trottoir est assez large du côté nord, et aucun fil ne passe au-dessus.',
      },
      {
        category: 'school',
        title: 'Des arbres devant l’école, {street}',
        body: 'Deux cents enfants attendent ici à quinze heures trente, sans une feuille au-dessus de leur tête.',
      },
      {
        category: 'park',
        title: 'Deux chênes près des bancs de {street}',
        body: 'Les personnes âgées s’y reposent en revenant des courses, puis repartent dès que le soleil arrive.',
      },
      {
        category: 'street',
        title: 'Remplacer l’érable tombé sur {street}',
        body: 'La tempête l’a emporté il y a trois ans. Depuis, le trou est pavé.',
      },
      {
        category: 'water',
        title: 'Des saules sur la berge sous {street}',
        body: 'La berge s’effrite chaque printemps. Des racines la retiendraient.',
      },
    ],
  },
  endings: {
    en: [
      'I would water it for the first two summers.',
      'My neighbours agree; we talked about it on the stairs.',
      '',
      'Please choose one that does not drop sticky fruit on the cars.',
      'There used to be one here when I was a child.',
      'It does not have to be a big one.',
      'Check the gas main first: it was dug up in the spring.',
      '',
    ],
    'fr-CA': [
      'Je l’arroserais les deux premiers étés.',
      'Mes voisins sont d’accord.',
      '',
      'Pas besoin d’un grand arbre.',
      'Il y en avait un ici quand j’étais petite.',
    ],
  },
  names: ['Maya', 'Tom', 'Hélène', 'Luc', 'Priya', 'Owen', 'Nadia', 'Grace', 'Samir', 'Élise', 'Walter', 'Mei'],
  team: enFr('Urban Forestry', 'Foresterie urbaine'),
  answers: [
    {
      status: 'planned',
      text: enFr(
        'The ground is free of cables. We plant here in October; a notice goes up two weeks before.',
        'Le sol est libre de câbles. Nous plantons ici en octobre; un avis sera affiché deux semaines avant.',
      ),
    },
    {
      status: 'done',
      text: enFr(
        'Planted last week: a red oak, three metres high. It needs two buckets of water a week until autumn.',
        'Planté la semaine dernière : un chêne rouge de trois mètres. Il lui faut deux seaux d’eau par semaine jusqu’à l’automne.',
      ),
    },
    {
      status: 'not_taken_forward',
      text: enFr(
        'A water main runs one metre below this spot. We looked for a place nearby and found none wide enough.',
        'Une conduite d’eau passe à un mètre sous cet endroit. Nous avons cherché tout près, sans trouver assez de largeur.',
      ),
    },
    {
      status: 'answered',
      text: enFr(
        'This land belongs to the school board. We passed your place on, and they answer by the end of the month.',
        'Ce terrain appartient à la commission scolaire. Nous lui avons transmis votre proposition; elle répondra d’ici la fin du mois.',
      ),
    },
  ],
  declinedReason: enFr('This is about parking, not about trees.', 'Il s’agit de stationnement, pas d’arbres.'),
}
