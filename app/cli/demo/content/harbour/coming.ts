import { long, one, option, page, rating, several } from '../questions.ts'
import { en } from '../texts.ts'
import type { DemoProject } from '../types.ts'

export const libraryOfThings: DemoProject = {
  slug: 'library-of-things',
  hub: 'community',
  topic: 'community',
  title: en('A library of things'),
  summary: en('A drill is used for thirteen minutes in its life. What else should we lend? Opens soon.'),
  body: en(
    `The library is clearing out its old map room. In its place there will be shelves for things that most of us need once a year: a drill, a tent, a pressure cleaner, a wheelchair for a visiting aunt, a telescope.

We have room for 300. The survey will ask which, and for how long.`,
  ),
  picture: '/demo/harbour/library-of-things.svg',
  pictureAlt: en('Drawing of shelves holding a drill, a tent, a guitar and a telescope'),
  status: 'published',
  opens: 10,
  closes: 45,
  team: [{ name: 'Bronwyn Tully', role: en('Librarian'), email: 'bronwyn.tully' }],
  dates: [
    { title: en('Survey opens'), day: 10 },
    { title: en('Survey closes'), day: 45 },
  ],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'three-hundred-things',
      title: en('Three hundred things'),
      intro: en('Two questions.'),
      thanks: en('Thanks.'),
      status: 'published',
      minutes: 2,
      pages: [
        page(
          'p1',
          en('Things'),
          several(
            'q_things',
            en('What would you borrow?'),
            [
              option('tools', en('Tools')),
              option('camping', en('Camping gear')),
              option('party', en('Party things')),
              option('care', en('Things for care at home')),
              option('music', en('Instruments')),
              option('science', en('Telescopes and microscopes')),
            ],
            { required: true },
          ),
          long('q_lend', en('Do you have something to give?')),
        ),
      ],
    },
  ],
}

export const communityPlan: DemoProject = {
  slug: 'harbour-in-ten-years',
  hub: null,
  topic: 'community',
  title: en('Harbour in ten years'),
  summary: en('The community plan is the one everything else has to follow. Start with what you would miss.'),
  body: en(
    `Every ten years the council writes down what kind of place Harbour means to be. Budgets, buildings and by-laws then have to fit it. Last time 211 people took part, most of them over sixty.

This time the first question is not what you want. It is what you would miss if it were gone.`,
  ),
  picture: '/demo/harbour/harbour-in-ten-years.svg',
  pictureAlt: en('Drawing of the harbour seen through a window, with plans on the table'),
  status: 'scheduled',
  publishes: 4,
  opens: 6,
  closes: 66,
  team: [{ name: 'Kirra Lawson', role: en('Engagement manager'), email: 'kirra.lawson' }],
  dates: [{ title: en('Survey opens'), day: 6 }],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'what-would-you-miss',
      title: en('What would you miss?'),
      intro: en('Three questions, as long or as short as you like.'),
      thanks: en('Thanks.'),
      status: 'draft',
      minutes: 5,
      pages: [
        page(
          'p1',
          en('Ten years'),
          long('q_miss', en('What would you miss if it were gone?'), { required: true }),
          one('q_stay', en('Do you think you will still live here?'), [
            option('yes', en('Yes')),
            option('hope', en('I hope so')),
            option('no', en('No')),
          ]),
          rating('q_hope', en('How do you feel about the next ten years?'), en('Worried'), en('Hopeful')),
        ),
      ],
    },
  ],
}

export const homesAboveShops: DemoProject = {
  slug: 'homes-above-the-shops',
  hub: 'planning',
  topic: 'housing',
  title: en('Homes above the shops'),
  summary: en('Three storeys or five along Harbour Street, and who gets to live there?'),
  body: en(
    `Behind the sandstone fronts of Harbour Street there are 140 empty upper floors. Bringing them back, and allowing two more storeys set back from the street, would make room for about 420 homes without a tower anywhere.

One in five would have to be let at a rent that a nurse or a bus driver can pay. The draft says how; the team has asked for a review before it goes out.`,
  ),
  picture: '/demo/harbour/homes-above-the-shops.svg',
  pictureAlt: en('Drawing of shopfronts with lit flats and washing above'),
  status: 'in_review',
  opens: 18,
  closes: 74,
  team: [{ name: 'Nick Vella', role: en('Strategic planner'), email: 'nick.vella' }],
  dates: [],
  documents: [],
  updates: [],
  surveys: [],
}

export const newYearsEve: DemoProject = {
  slug: 'new-years-eve',
  hub: 'community',
  topic: 'community',
  title: en('New Year’s Eve from the headland'),
  summary: en('Tickets, a ballot, or first come, first served?'),
  body: en(
    'Last year 21,000 people came to a headland that holds nine. We are drafting three ways to do it better. The questions are not ready yet.',
  ),
  picture: '/demo/harbour/new-years-eve.svg',
  pictureAlt: en('Drawing of fireworks over the dark harbour'),
  status: 'draft',
  opens: 22,
  closes: 50,
  team: [{ name: 'Priyanka Desai', role: en('Place manager'), email: 'priyanka.desai' }],
  dates: [],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'how-should-we-share-it',
      title: en('How should we share it?'),
      intro: en('One question, so far.'),
      thanks: en('Thanks.'),
      status: 'draft',
      minutes: 1,
      pages: [
        page(
          'p1',
          en('The headland'),
          one(
            'q_how',
            en('Which is fairest?'),
            [option('ticket', en('Tickets')), option('ballot', en('A ballot')), option('queue', en('First come, first served'))],
            { required: true },
          ),
        ),
      ],
    },
  ],
}

export const accessPanel: DemoProject = {
  slug: 'access-panel',
  hub: 'streets',
  topic: 'transport',
  title: en('Access panel: which ten kerbs first?'),
  summary: en('For members of the access panel: you know the street from lower down. Choose.'),
  body: en(
    `There is money for ten kerb ramps before winter and a list of sixty-three. You are the people who use them, and so you choose.

Only members of the access panel see this page.`,
  ),
  picture: '/demo/harbour/access-panel.svg',
  pictureAlt: en('Drawing of a wheelchair user and a person with a cane at a kerb ramp'),
  status: 'published',
  visibility: 'members',
  opens: -9,
  closes: 12,
  team: [{ name: 'Sam Okonjo', role: en('Inclusion officer'), email: 'sam.okonjo' }],
  dates: [{ title: en('Panel meets'), day: 14, precision: 'time' }],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'ten-kerbs',
      title: en('Ten kerbs'),
      intro: en('Choose the places you need most.'),
      thanks: en('Thanks. See you at the panel.'),
      status: 'published',
      access: 'members',
      minutes: 2,
      pages: [
        page(
          'p1',
          en('Kerbs'),
          several(
            'q_kerbs',
            en('Which first?'),
            [
              option('wharf', en('Wharf Lane, both sides')),
              option('clinic', en('The clinic')),
              option('library', en('The library')),
              option('avenue', en('Jacaranda Avenue at Harbour Street')),
              option('beach', en('Little Beach car park')),
            ],
            { required: true, maxChoices: 3 },
          ),
          long('q_why', en('What happens there now?')),
        ),
      ],
      crowd: {
        people: 29,
        usual: { q_kerbs: { o_wharf: 0.6, o_clinic: 0.7, o_library: 0.4, o_avenue: 0.5, o_beach: 0.35 }, q_why: 0.5 },
        kinds: [{ name: 'everyone', share: 1 }],
        words: {
          q_why: {
            all: {
              en: [
                'I go round by the road, with the trucks.',
                'There is a ramp on one side only. Think about that.',
                'The lip is four centimetres. My front wheels are three.',
                'My cane finds it. Then it finds the pole.',
              ],
            },
          },
        },
      },
    },
  ],
}

export const lifeguardTower: DemoProject = {
  slug: 'lifeguard-tower',
  hub: 'foreshore',
  topic: 'foreshore',
  title: en('A new lifeguard tower'),
  summary: en('Hidden until the surf club has seen it.'),
  body: en(
    'The tower at the south end has been condemned. Two designs are ready. The page stays hidden until the surf club’s committee has seen them.',
  ),
  picture: '/demo/harbour/lifeguard-tower.svg',
  pictureAlt: en('Drawing of a lifeguard tower on the sand with red and yellow flags'),
  status: 'published',
  visibility: 'hidden',
  opens: -1,
  closes: 44,
  team: [{ name: 'Dinh Tran', role: en('Coastal engineer'), email: 'dinh.tran' }],
  dates: [],
  documents: [],
  updates: [],
  surveys: [],
}
