import { longText, oneChoice, option, page, rating, severalChoices, shortText } from '../questions.ts'
import { onlyEn } from '../texts.ts'
import type { DemoProject } from '../types.ts'

export const laterNights: DemoProject = {
  slug: 'later-nights',
  hub: 'community',
  topic: 'community',
  title: onlyEn('Later nights on Harbour Street'),
  summary: onlyEn('Shops to nine, music to eleven, quiet after that. Would it work where you live?'),
  body: onlyEn(
    `At six o’clock Harbour Street pulls down its shutters. A trial next autumn would let forty shops, two galleries and five venues stay open later on Thursdays and Fridays.

Some of you live upstairs. We have measured the noise at twelve bedroom windows, and would do it again every night of the trial, with the results here in the morning.

The trial stops by itself after ten weeks unless you tell us to go on.`,
  ),
  picture: '/demo/harbour/later-nights.svg',
  pictureAlt: onlyEn('Drawing of lit shopfronts and diners under awnings at night'),
  status: 'published',
  opens: -11,
  closes: 33,
  place: { address: onlyEn('Harbour Street, from the fig to the wharf'), lat: -33.8459, lng: 151.2351 },
  team: [{ name: 'Priyanka Desai', role: onlyEn('Place manager'), email: 'priyanka.desai' }],
  dates: [
    { title: onlyEn('Survey opens'), day: -11 },
    { title: onlyEn('Survey closes'), day: 33 },
    { title: onlyEn('Trial begins'), day: 120, precision: 'season' },
  ],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'how-late',
      title: onlyEn('How late?'),
      intro: onlyEn('Four questions for people who go out, and for people who go to bed.'),
      thanks: onlyEn('Thanks. Sleep well, or have a good night.'),
      status: 'published',
      access: 'anyone',
      minutes: 4,
      pages: [
        page(
          'p1',
          onlyEn('Your night'),
          oneChoice(
            'q_home',
            onlyEn('Where do you live?'),
            [
              option('above', onlyEn('Above or beside a shop')),
              option('near', onlyEn('Within ten minutes’ walk')),
              option('away', onlyEn('Further away')),
            ],
            { required: true },
          ),
          oneChoice(
            'q_until',
            onlyEn('How late should the music go?'),
            [
              option('nine', onlyEn('Nine')),
              option('ten', onlyEn('Ten')),
              option('eleven', onlyEn('Eleven')),
              option('midnight', onlyEn('Midnight')),
            ],
            { required: true },
          ),
          severalChoices('q_want', onlyEn('What would bring you?'), [
            option('food', onlyEn('Food')),
            option('music', onlyEn('Music')),
            option('shops', onlyEn('Shops')),
            option('library', onlyEn('A library that stays open')),
            option('ferry', onlyEn('A late ferry home')),
          ]),
          longText('q_worry', onlyEn('What worries you?')),
        ),
      ],
      crowd: {
        people: 447,
        usual: {
          q_home: { o_above: 14, o_near: 48, o_away: 38 },
          q_until: { o_nine: 17, o_ten: 30, o_eleven: 37, o_midnight: 16 },
          q_want: { o_food: 0.62, o_music: 0.45, o_shops: 0.3, o_library: 0.34, o_ferry: 0.5 },
          q_worry: 0.34,
        },
        kinds: [
          { name: 'upstairs', share: 22, leans: { q_home: { o_above: 6 }, q_until: { o_nine: 3, o_midnight: 0.2 }, q_worry: 2 } },
          { name: 'out', share: 78, leans: { q_until: { o_eleven: 1.3, o_midnight: 1.3 }, q_home: { o_above: 0.4 } } },
        ],
        words: {
          q_worry: {
            all: {
              en: [
                'Bins at midnight.',
                'Getting home. There is no ferry after 6.45.',
                'That it becomes all bars.',
                'Nothing. We have waited for years.',
                'Parking in our street, again.',
                'Rents going up for the small shops.',
              ],
            },
            upstairs: {
              en: [
                'The bass comes through the floor.',
                'I start at four in the morning at the fish market.',
                'Bottles into bins at one o’clock. Make them do it in the morning.',
              ],
            },
          },
        },
      },
    },
    {
      slug: 'which-night',
      title: onlyEn('Which night?'),
      intro: {},
      thanks: onlyEn('Thanks. One night it is.'),
      status: 'published',
      access: 'anyone_once',
      resultsPublic: true,
      minutes: 1,
      pages: [
        page(
          'p1',
          onlyEn('Which night?'),
          oneChoice(
            'q_night',
            onlyEn('If only one night runs late, which should it be?'),
            [option('thursday', onlyEn('Thursday')), option('friday', onlyEn('Friday')), option('saturday', onlyEn('Saturday'))],
            { required: true },
          ),
        ),
      ],
      crowd: {
        people: 236,
        usual: { q_night: { o_thursday: 24, o_friday: 51, o_saturday: 25 } },
        kinds: [{ name: 'all', share: 100 }],
        words: {},
      },
    },
  ],
}

export const skatePark: DemoProject = {
  slug: 'skate-park',
  hub: 'parks-and-trees',
  topic: 'young-people',
  title: onlyEn('A skate park that its skaters draw'),
  summary: onlyEn('You have the site, the money and a designer who skates. Tell her what to build.'),
  body: onlyEn(
    `The old bowling green behind the library has been locked for six years. It has drainage, lights and a tap. In eleven months it could have a bowl, a street section, a shelter and a wall to sit on.

The designer, who has skated since she was nine, will build clay models out of your answers. Anyone with a confirmed account may vote on them, and nobody else does.`,
  ),
  picture: '/demo/harbour/skate-park.svg',
  pictureAlt: onlyEn('Drawing of skaters on ramps and in a bowl beside a fig tree'),
  status: 'published',
  opens: -14,
  closes: 19,
  place: { address: onlyEn('The old bowling green, Library Lane'), lat: -33.8487, lng: 151.2344 },
  team: [{ name: 'Jess Kaleolani', role: onlyEn('Designer'), email: 'jess.kaleolani' }],
  dates: [
    { title: onlyEn('Survey opens'), day: -14 },
    { title: onlyEn('Clay day at the library'), day: 11 },
    { title: onlyEn('Survey closes'), day: 19 },
  ],
  documents: [],
  updates: [
    {
      slug: 'skate-clay',
      title: onlyEn('Clay day is on {date:+11}'),
      body: onlyEn('Bring a board, a scooter or just your hands. There are forty kilos of clay and a lot of sausages.'),
      day: -3,
    },
  ],
  surveys: [
    {
      slug: 'bowl-or-street',
      title: onlyEn('Bowl or street?'),
      intro: onlyEn('Four quick ones.'),
      thanks: onlyEn('Legend. See you on clay day.'),
      status: 'published',
      access: 'confirmed',
      minutes: 3,
      pages: [
        page(
          'p1',
          onlyEn('The park'),
          oneChoice(
            'q_main',
            onlyEn('What is the main thing?'),
            [
              option('bowl', onlyEn('A bowl')),
              option('street', onlyEn('Street: rails, ledges, stairs')),
              option('pump', onlyEn('A pump track')),
              option('small', onlyEn('Small ramps to learn on')),
            ],
            { required: true },
          ),
          severalChoices('q_around', onlyEn('And around it?'), [
            option('shade', onlyEn('Shade')),
            option('girls', onlyEn('Sessions for girls')),
            option('lights', onlyEn('Lights until nine')),
            option('music', onlyEn('Speakers')),
            option('seats', onlyEn('Somewhere for parents to sit')),
          ]),
          rating('q_level', onlyEn('How well do you skate?'), onlyEn('Never have'), onlyEn('Very well')),
          shortText('q_name', onlyEn('What should we call it?')),
        ),
      ],
      crowd: {
        people: 188,
        usual: {
          q_main: { o_bowl: 37, o_street: 32, o_pump: 15, o_small: 16 },
          q_around: { o_shade: 0.6, o_girls: 0.36, o_lights: 0.55, o_music: 0.3, o_seats: 0.3 },
          q_level: 2.8,
          q_name: 0.34,
        },
        kinds: [
          { name: 'skater', share: 60, leans: { q_level: 0.9, q_main: { o_small: 0.3 } } },
          { name: 'learner', share: 40, leans: { q_level: -1.2, q_main: { o_small: 4 }, q_around: { o_girls: 1.7, o_seats: 1.5 } } },
        ],
        words: {
          q_name: {
            all: {
              en: ['The Green', 'Bowlo', 'Fig Bowl', 'The Old Bowlo', 'Concrete Harbour', 'Skatey McSkateface', 'Nan’s Green', 'The Drop'],
            },
          },
        },
      },
    },
  ],
}
