import { longText, oneChoice, option, page, rating, severalChoices } from '../questions.ts'
import { onlyEn } from '../texts.ts'
import type { DemoProject } from '../types.ts'

export const libraryOfThings: DemoProject = {
  slug: 'library-of-things',
  hub: 'community',
  topic: 'community',
  title: onlyEn('A library of things'),
  summary: onlyEn('A drill is used for thirteen minutes in its life. What else should we lend? Opens soon.'),
  body: onlyEn(
    `The library is clearing out its old map room. In its place there will be shelves for things that most of us need once a year: a drill, a tent, a pressure cleaner, a wheelchair for a visiting aunt, a telescope.

We have room for 300. The survey will ask which, and for how long.`,
  ),
  picture: '/demo/harbour/library-of-things.svg',
  pictureAlt: onlyEn('Drawing of shelves holding a drill, a tent, a guitar and a telescope'),
  status: 'published',
  opens: 10,
  closes: 45,
  team: [{ name: 'Bronwyn Tully', role: onlyEn('Librarian'), email: 'bronwyn.tully' }],
  dates: [
    { title: onlyEn('Survey opens'), day: 10 },
    { title: onlyEn('Survey closes'), day: 45 },
  ],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'three-hundred-things',
      title: onlyEn('Three hundred things'),
      intro: onlyEn('Two questions.'),
      thanks: onlyEn('Thanks.'),
      status: 'published',
      minutes: 2,
      pages: [
        page(
          'p1',
          onlyEn('Things'),
          severalChoices(
            'q_things',
            onlyEn('What would you borrow?'),
            [
              option('tools', onlyEn('Tools')),
              option('camping', onlyEn('Camping gear')),
              option('party', onlyEn('Party things')),
              option('care', onlyEn('Things for care at home')),
              option('music', onlyEn('Instruments')),
              option('science', onlyEn('Telescopes and microscopes')),
            ],
            { required: true },
          ),
          longText('q_lend', onlyEn('Do you have something to give?')),
        ),
      ],
    },
  ],
}

export const communityPlan: DemoProject = {
  slug: 'harbour-in-ten-years',
  hub: null,
  topic: 'community',
  title: onlyEn('Harbour in ten years'),
  summary: onlyEn('The community plan is the one everything else has to follow. Start with what you would miss.'),
  body: onlyEn(
    `Every ten years the council writes down what kind of place Harbour means to be. Budgets, buildings and by-laws then have to fit it. Last time 211 people took part, most of them over sixty.

This time the first question is not what you want. It is what you would miss if it were gone.`,
  ),
  picture: '/demo/harbour/harbour-in-ten-years.svg',
  pictureAlt: onlyEn('Drawing of the harbour seen through a window, with plans on the table'),
  status: 'scheduled',
  publishes: 4,
  opens: 6,
  closes: 66,
  team: [{ name: 'Kirra Lawson', role: onlyEn('Engagement manager'), email: 'kirra.lawson' }],
  dates: [{ title: onlyEn('Survey opens'), day: 6 }],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'what-would-you-miss',
      title: onlyEn('What would you miss?'),
      intro: onlyEn('Three questions, as long or as short as you like.'),
      thanks: onlyEn('Thanks.'),
      status: 'draft',
      minutes: 5,
      pages: [
        page(
          'p1',
          onlyEn('Ten years'),
          longText('q_miss', onlyEn('What would you miss if it were gone?'), { required: true }),
          oneChoice('q_stay', onlyEn('Do you think you will still live here?'), [
            option('yes', onlyEn('Yes')),
            option('hope', onlyEn('I hope so')),
            option('no', onlyEn('No')),
          ]),
          rating('q_hope', onlyEn('How do you feel about the next ten years?'), onlyEn('Worried'), onlyEn('Hopeful')),
        ),
      ],
    },
  ],
}

export const homesAboveShops: DemoProject = {
  slug: 'homes-above-the-shops',
  hub: 'planning',
  topic: 'housing',
  title: onlyEn('Homes above the shops'),
  summary: onlyEn('Three storeys or five along Harbour Street, and who gets to live there?'),
  body: onlyEn(
    `Behind the sandstone fronts of Harbour Street there are 140 empty upper floors. Bringing them back, and allowing two more storeys set back from the street, would make room for about 420 homes without a tower anywhere.

One in five would have to be let at a rent that a nurse or a bus driver can pay. The draft says how; the team has asked for a review before it goes out.`,
  ),
  picture: '/demo/harbour/homes-above-the-shops.svg',
  pictureAlt: onlyEn('Drawing of shopfronts with lit flats and washing above'),
  status: 'in_review',
  opens: 18,
  closes: 74,
  team: [{ name: 'Nick Vella', role: onlyEn('Strategic planner'), email: 'nick.vella' }],
  dates: [],
  documents: [],
  updates: [],
  surveys: [],
}

export const newYearsEve: DemoProject = {
  slug: 'new-years-eve',
  hub: 'community',
  topic: 'community',
  title: onlyEn('New Year’s Eve from the headland'),
  summary: onlyEn('Tickets, a ballot, or first come, first served?'),
  body: onlyEn(
    'Last year 21,000 people came to a headland that holds nine. We are drafting three ways to do it better. The questions are not ready yet.',
  ),
  picture: '/demo/harbour/new-years-eve.svg',
  pictureAlt: onlyEn('Drawing of fireworks over the dark harbour'),
  status: 'draft',
  opens: 22,
  closes: 50,
  team: [{ name: 'Priyanka Desai', role: onlyEn('Place manager'), email: 'priyanka.desai' }],
  dates: [],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'how-should-we-share-it',
      title: onlyEn('How should we share it?'),
      intro: onlyEn('One question, so far.'),
      thanks: onlyEn('Thanks.'),
      status: 'draft',
      minutes: 1,
      pages: [
        page(
          'p1',
          onlyEn('The headland'),
          oneChoice(
            'q_how',
            onlyEn('Which is fairest?'),
            [
              option('ticket', onlyEn('Tickets')),
              option('ballot', onlyEn('A ballot')),
              option('queue', onlyEn('First come, first served')),
            ],
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
  title: onlyEn('Access panel: which ten kerbs first?'),
  summary: onlyEn('For members of the access panel: you know the street from lower down. Choose.'),
  body: onlyEn(
    `There is money for ten kerb ramps before winter and a list of sixty-three. You are the people who use them, and so you choose.

Only members of the access panel see this page.`,
  ),
  picture: '/demo/harbour/access-panel.svg',
  pictureAlt: onlyEn('Drawing of a wheelchair user and a person with a cane at a kerb ramp'),
  status: 'published',
  visibility: 'members',
  opens: -9,
  closes: 12,
  team: [{ name: 'Sam Okonjo', role: onlyEn('Inclusion officer'), email: 'sam.okonjo' }],
  dates: [{ title: onlyEn('Panel meets'), day: 14, precision: 'time' }],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'ten-kerbs',
      title: onlyEn('Ten kerbs'),
      intro: onlyEn('Choose the places you need most.'),
      thanks: onlyEn('Thanks. See you at the panel.'),
      status: 'published',
      access: 'members',
      minutes: 2,
      pages: [
        page(
          'p1',
          onlyEn('Kerbs'),
          severalChoices(
            'q_kerbs',
            onlyEn('Which first?'),
            [
              option('wharf', onlyEn('Wharf Lane, both sides')),
              option('clinic', onlyEn('The clinic')),
              option('library', onlyEn('The library')),
              option('avenue', onlyEn('Jacaranda Avenue at Harbour Street')),
              option('beach', onlyEn('Little Beach car park')),
            ],
            { required: true, maxChoices: 3 },
          ),
          longText('q_why', onlyEn('What happens there now?')),
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
  title: onlyEn('A new lifeguard tower'),
  summary: onlyEn('Hidden until the surf club has seen it.'),
  body: onlyEn(
    'The tower at the south end has been condemned. Two designs are ready. The page stays hidden until the surf club’s committee has seen them.',
  ),
  picture: '/demo/harbour/lifeguard-tower.svg',
  pictureAlt: onlyEn('Drawing of a lifeguard tower on the sand with red and yellow flags'),
  status: 'published',
  visibility: 'hidden',
  opens: -1,
  closes: 44,
  team: [{ name: 'Dinh Tran', role: onlyEn('Coastal engineer'), email: 'dinh.tran' }],
  dates: [],
  documents: [],
  updates: [],
  surveys: [],
}
