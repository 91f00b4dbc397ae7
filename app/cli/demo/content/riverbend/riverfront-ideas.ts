import { enFr } from '../texts.ts'
import type { DemoIdea, DemoIdeas } from '../types.ts'

const stages: DemoIdeas['stages'] = [
  {
    title: enFr('Listening', 'À l’écoute'),
    summary: enFr('Tell us what the shore should be for.', 'Dites-nous à quoi devrait servir la rive.'),
    kind: 'listen',
    starts: -30,
    ends: 25,
  },
  {
    title: enFr('First drawings', 'Premiers dessins'),
    summary: enFr('Designers draw while ideas still come in.', 'Les équipes dessinent pendant que les idées arrivent encore.'),
    kind: 'inform',
    starts: -5,
    ends: 70,
  },
  {
    title: enFr('Council decides', 'Le conseil décide'),
    summary: enFr('Council chooses what is built first.', 'Le conseil choisit par où commencer.'),
    kind: 'decide',
    starts: 75,
    ends: 90,
  },
]

const activity: DemoIdeas['activity'] = {
  slug: 'ideas',
  title: enFr('Ideas for the riverfront', 'Des idées pour la rive'),
  intro: enFr(
    'What is missing along the river? Read what your neighbours propose, support what you like, and add your own.',
    'Que manque-t-il au bord de la rivière? Lisez les propositions, appuyez celles qui vous plaisent et ajoutez la vôtre.',
  ),
  categories: [
    { id: 'water', title: enFr('On the water', 'Sur l’eau') },
    { id: 'paths', title: enFr('Paths and crossings', 'Sentiers et traverses') },
    { id: 'nature', title: enFr('Nature', 'Nature') },
    { id: 'gathering', title: enFr('Places to gather', 'Lieux de rencontre') },
    { id: 'access', title: enFr('Access for everyone', 'Accès pour tous') },
  ],
}

const answers: DemoIdeas['answers'] = [
  {
    of: 'A crossing where River Road meets Mill Street',
    status: 'planned',
    days: -6,
    text: enFr(
      'A signalled crossing at Mill Street is in the first phase. Work starts in May and takes three weeks.',
      'Une traverse avec feux à la rue Mill fait partie de la première phase. Les travaux commencent en mai et durent trois semaines.',
    ),
    team: enFr('Parks and Riverfront', 'Parcs et rive'),
  },
  {
    of: 'A cable car over the river',
    status: 'not_taken_forward',
    days: -4,
    text: enFr(
      'A cable car would cost more than the whole riverfront programme. The new footbridge makes the same trip in six minutes.',
      'Un téléphérique coûterait plus cher que tout le programme de la rive. La nouvelle passerelle permet le même trajet en six minutes.',
    ),
    team: enFr('Parks and Riverfront', 'Parcs et rive'),
  },
]

const sayInEnglish = (
  category: 'water' | 'paths' | 'nature' | 'gathering' | 'access',
  title: string,
  body: string,
  supports: number,
  more: Pick<DemoIdea, 'name' | 'replies' | 'state'> = {},
): DemoIdea => ({ language: 'en', category, title, body, supports, ...more })
const sayInFrench = (...[category, title, body, supports, more]: Parameters<typeof sayInEnglish>): DemoIdea => ({
  ...sayInEnglish(category, title, body, supports, more),
  language: 'fr-CA',
})

/** In the order they were sent. */
const ideas: readonly DemoIdea[] = [
  sayInEnglish(
    'paths',
    'A crossing where River Road meets Mill Street',
    'Four lanes and no light. My mother waits ten minutes to reach a bench she can see.',
    61,
    {
      name: 'Dana',
      replies: [
        ['Ibrahim', 'Same for the school run. We go round by the bridge.'],
        ['', 'A refuge island in the middle would already help.'],
      ],
    },
  ),
  sayInEnglish(
    'water',
    'Steps down to the water by the old mill',
    'People climb over the rocks anyway. Make it safe, with a rail on one side.',
    44,
    {
      name: 'Luc',
    },
  ),
  sayInFrench(
    'access',
    'Des toilettes ouvertes toute l’année',
    'Avec trois enfants, on repart toujours trop tôt. Une seule toilette chauffée près du quai suffirait.',
    57,
    {
      name: 'Maryse',
      replies: [['Dana', 'Oui, et une table à langer.']],
    },
  ),
  sayInEnglish('nature', 'Let the east bank flood', 'It floods every April whatever we build. Plant willows and let it.', 38, {
    name: 'Priya',
  }),
  sayInEnglish(
    'gathering',
    'A covered table for chess and tea',
    'The men who play under the bridge need a roof. Six tables are enough.',
    29,
  ),
  sayInEnglish('access', 'A ramp at Canal Street pier', 'There are eleven steps. I counted them from my chair.', 52, { name: 'Owen' }),
  sayInEnglish(
    'water',
    'Canoes to borrow, like library books',
    'Leave your library card, take a paddle. It works in Northgate for skates.',
    41,
  ),
  sayInFrench(
    'paths',
    'Relier les deux bouts du sentier',
    'Il manque 300 mètres derrière l’usine. On doit revenir par le boulevard, sans trottoir.',
    48,
    { name: 'Jean' },
  ),
  sayInEnglish('nature', 'No lights on the heron side', 'The birds left the lit half of the shore in 2022. Keep the other half dark.', 33, {
    name: 'Wren',
  }),
  sayInEnglish(
    'gathering',
    'A fire pit for winter evenings',
    'Somewhere to warm hands after skating, with the wood the city prunes anyway.',
    26,
  ),
  sayInEnglish('paths', 'A cable car over the river', 'From the station to the hospital in three minutes, with a view.', 19, {
    name: 'Theo',
    replies: [['Priya', 'Who pays for it?']],
  }),
  sayInEnglish('access', 'Benches every hundred metres', 'With backs and arm rests. A path without benches is a path for the young.', 55, {
    name: 'Ruth',
  }),
  sayInFrench(
    'nature',
    'Planter des arbres fruitiers',
    'Des pommiers et des pruniers, cueillette libre. L’école pourrait s’en occuper.',
    36,
    {
      name: 'Samira',
    },
  ),
  sayInEnglish('water', 'A floating sauna', 'They have one in Oslo. The river is cold enough.', 22),
  sayInEnglish('gathering', 'Sunday market on the pier', 'Ten stalls, no cars, coffee. The parking lot is empty on Sundays.', 40, {
    name: 'Marco',
  }),
  sayInEnglish('paths', 'Separate bikes and walkers', 'My dog was hit twice. A line of paint does not do it; a kerb would.', 31),
  sayInEnglish('nature', 'Signs that name the birds', 'In the three languages my building speaks, please.', 17, { name: 'Amal' }),
  sayInFrench('water', 'Une plage surveillée en juillet', 'L’eau est bonne depuis deux ans. Il ne manque que des sauveteurs.', 46, {
    name: 'Félix',
  }),
  sayInEnglish('access', 'Hearing loop at the boathouse', 'For the talks in summer. The speakers only make it louder, not clearer.', 12),
  sayInEnglish('gathering', 'A stage that is not a stage', 'Three wide steps facing west. Musicians will find it.', 24, { name: 'Jules' }),
  sayInEnglish('paths', 'Light the underpass', 'It is the only dry way under the railway and nobody uses it after five.', 43, {
    name: 'Grace',
  }),
  sayInEnglish(
    'nature',
    'Goats instead of mowers',
    'The slope is too steep for machines. Goats cost less and children come to see them.',
    35,
  ),
  sayInFrench(
    'gathering',
    'Un four à pain communautaire',
    'Dans mon village, on cuisait ensemble le samedi. Le quai a la place qu’il faut.',
    28,
    {
      name: 'Odile',
    },
  ),
  sayInEnglish('water', 'Clean up the outfall first', 'Before any beach: the storm drain by the mill still smells after rain.', 39, {
    name: 'Ken',
  }),
  sayInEnglish('access', 'A bus stop at the pier', 'Route 9 passes 200 metres away and does not stop.', 47),
  sayInEnglish('paths', 'Clear the path of snow like a road', 'In January it is ice. Those who walk to work on it have no other way.', 34, {
    name: 'Aisha',
  }),
  sayInEnglish('nature', 'Leave the dead trees standing', 'Woodpeckers nest in them. Fence them off where they could fall.', 14),
  sayInEnglish('gathering', 'A wall for painting', 'Legal, repainted each spring. The bridge would be left alone.', 25, { name: 'Niko' }),
  sayInFrench(
    'access',
    'Des panneaux qu’on peut toucher',
    'Je ne vois plus assez pour lire les cartes. Un plan en relief à chaque entrée me suffirait.',
    21,
    { name: 'Guy' },
  ),
  sayInEnglish('water', 'A weekly swim for women', 'An hour on Thursdays, with women as lifeguards. Many of us would come.', 30),
  sayInEnglish(
    'paths',
    'Name the path after Agnes Howe',
    'She walked it every morning for sixty years and picked up what others dropped.',
    27,
    {
      name: 'Beth',
    },
  ),
  sayInEnglish(
    'nature',
    'A frog tunnel under River Road',
    'In April we carry them over in buckets. We are six people and getting older.',
    32,
    {
      name: 'Tom',
    },
  ),
  sayInEnglish('gathering', 'Picnic tables in the shade', 'The ones we have stand in full sun; nobody sits there after ten.', 23),
  sayInFrench('water', 'Un quai pour la pêche', 'Un bout de quai sans barrière haute, pour les enfants et leurs grands-parents.', 18, {
    name: 'Rémi',
  }),
  sayInEnglish('access', 'Drinking water at both ends', 'And a low tap for dogs.', 37),
  sayInEnglish('gathering', 'Quiet hours on the terrace', 'Music until nine, then the river. I live above it and I like both.', 16, {
    name: 'Ines',
  }),
  sayInEnglish(
    'nature',
    'Show where the old shore was',
    'A line of blue stones in the grass, with the year. My grandfather fished where the bank is now.',
    20,
    { state: 'held' },
  ),
  sayInEnglish('access', 'Tell my neighbour at No. 12 to stop', 'He parks across the ramp every day.', 0, { state: 'declined' }),
  sayInFrench('paths', 'Une piste pour les patins à roulettes', 'Un revêtement lisse sur un kilomètre, au bord de l’eau.', 0, {
    state: 'held',
    name: 'Zoé',
  }),
  sayInEnglish('water', 'A ferry on market days', 'Even a rowing boat with a bell would do.', 0, { state: 'held' }),
]

const declinedReason = enFr(
  'It is about one person who can be recognised. Please tell parking enforcement about blocked ramps: they answer within a day.',
  'Le texte porte sur une personne qu’on peut reconnaître. Signalez les rampes bloquées au service du stationnement, qui répond en un jour.',
)

const reports: DemoIdeas['reports'] = [
  { of: 'Quiet hours on the terrace', rule: 'off-topic', words: 'Noise is for the by-law office, not for a park.', day: -2 },
  {
    of: 'Quiet hours on the terrace',
    rule: 'personal-data',
    words: 'Everyone on the quay knows which flat this is.',
    day: -1,
    hasAccount: true,
  },
  { of: 'Light the underpass', rule: 'already-said', words: '', day: -1 },
]

const appeal = { words: 'I name nobody, and the ramp is the only way to the river with a wheelchair. I can leave the number out.', day: -1 }

/** Ideas for the riverfront in Riverbend, in English and French. */
export const riverfrontIdeas: DemoIdeas = { project: 'riverfront', stages, activity, answers, declinedReason, reports, appeal, ideas }
