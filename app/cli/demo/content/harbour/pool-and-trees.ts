import { longText, oneChoice, option, otherOption, page, rating, severalChoices, shortText } from '../questions.ts'
import { onlyEn } from '../texts.ts'
import type { DemoProject } from '../types.ts'

export const oceanPool: DemoProject = {
  slug: 'ocean-pool',
  hub: 'foreshore',
  topic: 'foreshore',
  title: onlyEn('Saving the headland ocean pool'),
  summary: onlyEn('The wall is cracking and the sea is rising. Mend it, lift it, or let it go?'),
  body: onlyEn(
    `The pool under the headland has been filled by the tide since 1936. Its wall leaks through eleven cracks, and in an east coast low the waves now break inside it. Engineers give it four winters.

We can mend the wall as it is, which lasts about twelve years. We can lift it by 80 centimetres, which lasts about fifty, costs three times as much and hides the horizon from the water. Or we can let the sea have it and build steps to swim from.

We do not think there is a wrong answer. There are 9,200 signatures on one side, a budget on the other, and a lot of people who learned to swim there.`,
  ),
  picture: '/demo/harbour/ocean-pool.svg',
  pictureAlt: onlyEn('Drawing of swimmers in a rock pool with a wave breaking over the wall'),
  status: 'published',
  opens: -35,
  closes: 3,
  place: { address: onlyEn('Headland Road, below the lookout'), lat: -33.8391, lng: 151.2517 },
  team: [{ name: 'Dinh Tran', role: onlyEn('Coastal engineer'), email: 'dinh.tran' }],
  dates: [
    { title: onlyEn('Survey opens'), day: -35 },
    { title: onlyEn('Survey closes'), day: 3 },
    { title: onlyEn('Council decides'), day: 45, precision: 'month' },
  ],
  documents: [{ title: onlyEn('The pool: what the engineers found'), file: '/demo/documents/harbour-ocean-pool.pdf', language: 'en' }],
  updates: [
    {
      slug: 'pool-last-weekend',
      title: onlyEn('Last weekend to have your say'),
      body: onlyEn(
        'We will be at the pool steps on Saturday from six, with paper forms and a thermos. Swimmers answer first and dry off later.',
      ),
      day: -2,
    },
  ],
  surveys: [
    {
      slug: 'mend-lift-or-let-go',
      title: onlyEn('Mend, lift or let go'),
      intro: onlyEn('Four questions.'),
      thanks: onlyEn('Thanks. Whatever Council decides, it will have your answer on the table.'),
      status: 'published',
      access: 'anyone_once',
      resultsPublic: true,
      minutes: 4,
      pages: [
        page(
          'p1',
          onlyEn('The pool'),
          oneChoice(
            'q_choice',
            onlyEn('What should we do?'),
            [
              option('mend', onlyEn('Mend it as it is'), onlyEn('4.1 million, about twelve years')),
              option('lift', onlyEn('Lift the wall'), onlyEn('12.6 million, about fifty years')),
              option('go', onlyEn('Let the sea have it, build steps'), onlyEn('2.2 million')),
            ],
            { required: true },
          ),
          rating('q_matter', onlyEn('How much does the pool matter to you?'), onlyEn('Not much'), onlyEn('Enormously')),
          oneChoice('q_pay', onlyEn('How should we pay?'), [
            option('levy', onlyEn('A levy on rates for six years')),
            option('wait', onlyEn('From the budget, other works wait')),
            option('fee', onlyEn('A coin in the box')),
          ]),
          longText('q_memory', onlyEn('Tell us about a swim.')),
        ),
      ],
      crowd: {
        people: 694,
        usual: {
          q_choice: { o_mend: 35, o_lift: 49, o_go: 16 },
          q_matter: 4.1,
          q_pay: { o_levy: 44, o_wait: 31, o_fee: 25 },
          q_memory: 0.45,
        },
        kinds: [
          { name: 'regular', share: 55, leans: { q_matter: 0.6, q_choice: { o_lift: 1.4, o_go: 0.2 }, q_memory: 1.4 } },
          { name: 'ratepayer', share: 45, leans: { q_matter: -0.8, q_choice: { o_go: 2.4 }, q_pay: { o_fee: 1.8, o_levy: 0.6 } } },
        ],
        words: {
          q_memory: {
            all: {
              en: [
                'My father threw me in off the north wall in 1958. I have forgiven him.',
                'Six in the morning, winter, steam coming off the old blokes.',
                'I learned at 43. The ladies’ class. I cried.',
                'A blue groper followed me for ten laps.',
                'After the funeral we all just got in.',
                'It is the only place my son, who is autistic, is completely calm.',
                'I do not swim. I like that it is there.',
                'Phosphorescence, once, at midnight. We were not supposed to be there.',
                'Cold. Glorious.',
                'Full moon, king tide, a wave put me over the wall and back again.',
              ],
            },
          },
        },
      },
    },
  ],
}

export const jacarandaAvenue: DemoProject = {
  slug: 'jacaranda-avenue',
  hub: 'parks-and-trees',
  topic: 'parks',
  title: onlyEn('Jacaranda Avenue: trees, roots and footpaths'),
  summary: onlyEn('Ninety trees, ninety lifted footpaths. How do we keep both the purple and the prams?'),
  body: onlyEn(
    `Every November people come from across the city to stand in the middle of Jacaranda Avenue. Every month somebody trips on it. The trees were planted in 1931 with no room for roots, and the footpath has risen by up to 19 centimetres.

An arborist has looked at each of the ninety. Eleven are at the end of their lives. The other seventy-nine can live another sixty years if we give them more earth, and that earth has to come from somewhere.

## Three ways to find the room
- Take one row of parking, on the shady side.
- Narrow the road and make it one way, downhill.
- Lift the footpath onto a bridge of steel, over the roots, and leave all the rest.

The eleven will be replaced in any case, by trees ten years old.`,
  ),
  picture: '/demo/harbour/jacaranda-avenue.svg',
  pictureAlt: onlyEn('Drawing of purple jacarandas meeting over a street of terraces'),
  status: 'published',
  opens: -19,
  closes: 15,
  place: { address: onlyEn('Jacaranda Avenue, from Harbour Street to Signal Hill'), lat: -33.8472, lng: 151.2389 },
  team: [
    { name: 'Mel Carter', role: onlyEn('Tree officer'), email: 'mel.carter' },
    { name: 'Tom Nguyen', role: onlyEn('Parks manager'), email: 'tom.nguyen' },
  ],
  dates: [
    { title: onlyEn('Survey opens'), day: -19 },
    { title: onlyEn('Walk the avenue with the arborist'), day: 2, precision: 'time' },
    { title: onlyEn('Survey closes'), day: 15 },
    { title: onlyEn('Decision'), day: 64, precision: 'month' },
  ],
  documents: [{ title: onlyEn('Ninety trees, one by one'), file: '/demo/documents/harbour-jacarandas.pdf', language: 'en' }],
  updates: [],
  surveys: [
    {
      slug: 'room-for-roots',
      title: onlyEn('Room for roots'),
      intro: onlyEn('Five questions. You can answer for a tree you know by its number.'),
      thanks: onlyEn('Thanks. Every tree that anyone wrote about gets a second look.'),
      status: 'published',
      access: 'anyone',
      minutes: 5,
      pages: [
        page(
          'p1',
          onlyEn('The avenue'),
          oneChoice(
            'q_way',
            onlyEn('Where should the room come from?'),
            [
              option('parking', onlyEn('One row of parking')),
              option('oneway', onlyEn('A one-way street')),
              option('bridge', onlyEn('A footpath bridge over the roots')),
            ],
            { required: true },
          ),
          rating('q_walk', onlyEn('How easy is the footpath for you today?'), onlyEn('Impossible'), onlyEn('Easy')),
          severalChoices(
            'q_new',
            onlyEn('What should replace the eleven?'),
            [
              option('jacaranda', onlyEn('Jacarandas')),
              option('native', onlyEn('Native trees')),
              option('fruit', onlyEn('Fruit trees')),
              otherOption(onlyEn('Something else, please say')),
            ],
            { maxChoices: 2 },
          ),
          shortText('q_tree', onlyEn('Is there a tree you would speak up for?'), {
            help: onlyEn('Its number is on a small disc at eye height.'),
          }),
          longText('q_more', onlyEn('Anything else about the avenue?')),
        ),
      ],
      crowd: {
        people: 521,
        usual: {
          q_way: { o_parking: 38, o_oneway: 34, o_bridge: 28 },
          q_walk: 2.5,
          q_new: { o_jacaranda: 0.62, o_native: 0.48, o_fruit: 0.14, o_other: 0.03 },
          q_tree: 0.24,
          q_more: 0.3,
        },
        kinds: [
          { name: 'resident', share: 58, leans: { q_way: { o_bridge: 1.6, o_parking: 0.7 }, q_tree: 1.8 } },
          { name: 'visitor', share: 42, leans: { q_way: { o_parking: 1.6 }, q_new: { o_jacaranda: 1.3 } } },
        ],
        words: {
          q_tree: {
            all: {
              en: [
                'Number 41',
                'The one outside number 8',
                '17, with the swing',
                '63',
                'The crooked one at the corner',
                '88 and 89',
                'Number 5, my mother planted under it',
              ],
            },
          },
          q_more: {
            all: {
              en: [
                'Bins and prams both end up on the road. Fix it.',
                'I broke a wrist outside number 22.',
                'Please, no more tour buses in November.',
                'Where would my carer park?',
                'It is the reason we bought here.',
                'Natives bring birds. Purple brings people. I would rather have birds.',
                'Do not touch number 41.',
              ],
            },
          },
          'q_new.other': { all: { en: ['Ask the school', 'Flame trees', 'Frangipani'] } },
        },
      },
    },
  ],
}
