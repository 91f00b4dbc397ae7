import { longText, noneOption, oneChoice, option, otherOption, page, rating, severalChoices, shortText } from '../questions.ts'
import { onlyEn } from '../texts.ts'
import type { DemoProject, DemoSurvey } from '../types.ts'

const survey: DemoSurvey = {
  slug: 'your-ferry',
  title: onlyEn('Your ferry'),
  intro: onlyEn('Seven questions about the wharf and the timetable. The state’s ferry planners read the answers with us on {date:+34}.'),
  thanks: onlyEn('Thanks for that. We will show two designs, and which of your ideas are in each, by {date:+60}.'),
  status: 'published',
  access: 'anyone',
  minutes: 6,
  pages: [
    page(
      'p1',
      onlyEn('The wharf today'),
      oneChoice(
        'q_use',
        onlyEn('How often do you take the ferry from Cockle Point?'),
        [
          option('daily', onlyEn('Most days')),
          option('weekly', onlyEn('Once or twice a week')),
          option('sometimes', onlyEn('Now and then')),
          option('never', onlyEn('Never')),
        ],
        { required: true, ordered: true },
      ),
      severalChoices('q_why_not', onlyEn('What stops you from taking it more?'), [
        option('steps', onlyEn('The steps'), onlyEn('Forty-two of them, and no lift')),
        option('hours', onlyEn('The last ferry leaves at 6.45 pm')),
        option('weekend', onlyEn('There is none on weekends')),
        option('shade', onlyEn('No shade and nowhere to sit')),
        option('parking', onlyEn('Nowhere to leave a bike or a car')),
        option('price', onlyEn('The fare')),
        otherOption(onlyEn('Something else, please say')),
        noneOption(onlyEn('Nothing stops me')),
      ]),
      rating('q_feel', onlyEn('How do you feel on the wharf after dark?'), onlyEn('Uneasy'), onlyEn('At ease')),
    ),
    page(
      'p2',
      onlyEn('The new one'),
      severalChoices(
        'q_build',
        onlyEn('What should the new wharf have?'),
        [
          option('lift', onlyEn('A lift and a ramp')),
          option('roof', onlyEn('A roof with room for everyone')),
          option('cafe', onlyEn('A kiosk')),
          option('swim', onlyEn('Steps into the water for swimming')),
          option('fish', onlyEn('A place to fish')),
          option('kayak', onlyEn('A pontoon for kayaks')),
          option('toilets', onlyEn('Toilets')),
        ],
        { required: true, maxChoices: 3 },
      ),
      oneChoice(
        'q_side',
        onlyEn('Which side of the point?'),
        [
          option('east', onlyEn('East, where it is now'), onlyEn('Shorter trip, more swell')),
          option('west', onlyEn('West, beside the rowing club'), onlyEn('Calmer water, level path, four minutes longer')),
        ],
        { required: true },
      ),
      longText('q_idea', onlyEn('What would make it a place and not just a stop?')),
      shortText('q_suburb', onlyEn('Which street do you come from?')),
    ),
  ],
  crowd: {
    people: 1386,
    usual: {
      q_use: { o_daily: 14, o_weekly: 22, o_sometimes: 46, o_never: 18 },
      q_why_not: {
        o_steps: 0.42,
        o_hours: 0.5,
        o_weekend: 0.46,
        o_shade: 0.3,
        o_parking: 0.17,
        o_price: 0.15,
        o_other: 0.04,
        o_none: 0.05,
      },
      q_feel: 2.7,
      q_build: { o_lift: 0.56, o_roof: 0.44, o_cafe: 0.33, o_swim: 0.42, o_fish: 0.15, o_kayak: 0.2, o_toilets: 0.38 },
      q_side: { o_east: 46, o_west: 54 },
      q_idea: 0.42,
      q_suburb: 0.3,
    },
    kinds: [
      {
        name: 'commuter',
        share: 30,
        leans: {
          q_use: { o_daily: 4, o_never: 0.05 },
          q_why_not: { o_hours: 1.4, o_none: 2 },
          q_side: { o_east: 1.8 },
          q_build: { o_roof: 1.5 },
        },
      },
      { name: 'swimmer', share: 26, leans: { q_build: { o_swim: 2, o_kayak: 1.6, o_toilets: 1.2 }, q_use: { o_sometimes: 1.4 } } },
      {
        name: 'older',
        share: 22,
        leans: { q_why_not: { o_steps: 2.1 }, q_build: { o_lift: 1.7, o_swim: 0.4 }, q_side: { o_west: 1.8 }, q_feel: -0.4 },
      },
      { name: 'family', share: 22, leans: { q_why_not: { o_weekend: 1.6, o_steps: 1.4 }, q_build: { o_toilets: 1.6, o_cafe: 1.4 } } },
    ],
    words: {
      q_idea: {
        all: {
          en: [
            'Somewhere to sit and look at the water. That is all anyone wants.',
            'Keep the old timber. It has my kids’ names on it.',
            'Shade sails like the ones at the pool.',
            'A kiosk with decent coffee before seven.',
            'Tell the story of the shell middens, and ask the people whose story it is.',
            'A weekend ferry and I would sell the car.',
            'No more steps!',
            'Lights that do not blind the bats.',
            'Please do not turn it into a shopping centre.',
            'A book box for the trip.',
            'Real-time screen that works in the sun.',
            'A tap for water bottles and dogs.',
            'Make it strong. The last storm took half the railing.',
            'Bench seats facing west for the sunset.',
            'I have lived here fifty years and have never once been able to get my wheelchair onto a ferry.',
            'The 8.10 is standing room only. A bigger boat too, please.',
          ],
        },
        swimmer: {
          en: [
            'Steps into the water on the calm side. We will bring our own towels.',
            'A shower, cold is fine.',
            'A netted corner for the little ones.',
            'Keep the jumping spot. Every kid here has jumped off that pole.',
            'Kayak rack so that we do not lug it down the hill.',
          ],
        },
        older: {
          en: [
            'Forty-two steps with a walking frame. I have not been on the water for six years.',
            'A handrail on both sides, and warm to the touch.',
            'Somewhere to wait out of the southerly.',
            'A lift that is mended when it breaks, not a month later.',
          ],
        },
        commuter: {
          en: [
            'A 7.30 pm ferry. We do not all finish at five.',
            'Somewhere to leave a bike that will still be there at night.',
            'Four minutes longer each way is forty minutes a week. Keep it east.',
            'Gates that let you tap on from the queue.',
          ],
        },
        family: {
          en: [
            'A pram and forty-two steps do not mix.',
            'Toilets. I have three boys.',
            'A fence the little one cannot climb.',
            'Fish and chips and a ferry home. That is a Saturday.',
          ],
        },
      },
      q_suburb: {
        all: {
          en: [
            'Cockle Street',
            'Headland Road',
            'Wharf Lane',
            'Rowing Club end',
            'Jacaranda Avenue',
            'Signal Hill',
            'Bayview Terrace',
            'Harbour Street',
            'Little Beach',
            'Fig Tree Lane',
          ],
        },
      },
      'q_why_not.other': { all: { en: ['I get seasick', 'My scooter does not fit', 'It is full', 'Shift work', 'Dogs not allowed'] } },
    },
  },
}

export const cockleWharf: DemoProject = {
  slug: 'cockle-wharf',
  hub: 'foreshore',
  topic: 'transport',
  title: onlyEn('A ferry wharf for Cockle Point'),
  summary: onlyEn('Forty-two steps, no shade, and no boat after a quarter to seven. Help us to draw the next one.'),
  body: onlyEn(
    `The wharf at Cockle Point was built in 1922 for people who could climb. Forty-two steps lead down to it, the railing went in the June storm, and one in three people who live within ten minutes has never caught a ferry from it.

The state will pay for a new wharf if the council settles where it goes and what is on it. That is a chance that comes once in a lifetime, and we have until {month:+120} to use it.

## What is decided
- It will be level with the ferry at every tide, with a lift or a ramp, or both.
- It will stand 60 centimetres higher than the old one, for the water to come.
- The old timber will be used again.

## What is open
- East of the point, where it is, or west beside the rowing club.
- What is on the wharf besides a place to wait.
- Which hours to ask the state for.

## Who reads your answers
Our designers and the state’s ferry planners, together. We publish the totals, and both designs show which of your ideas they hold.`,
  ),
  picture: '/demo/harbour/cockle-wharf.svg',
  pictureAlt: onlyEn('Drawing of a green and cream ferry coming in to a timber wharf'),
  status: 'published',
  featured: true,
  opens: -23,
  closes: 26,
  place: { address: onlyEn('Cockle Point, at the end of Wharf Lane'), lat: -33.8436, lng: 151.2302 },
  team: [
    { name: 'Georgia Papadakis', role: onlyEn('Foreshore project lead'), email: 'georgia.papadakis' },
    { name: 'Dinh Tran', role: onlyEn('Coastal engineer'), email: 'dinh.tran' },
  ],
  dates: [
    { title: onlyEn('Survey opens'), day: -23 },
    {
      title: onlyEn('Breakfast on the wharf'),
      detail: onlyEn('From 6.30 am, with the ferry planners and bacon rolls. A marshal with a chair lift is there all morning.'),
      day: 7,
    },
    { title: onlyEn('Survey closes'), day: 26 },
    { title: onlyEn('Two designs on show'), day: 60 },
    { title: onlyEn('Council chooses'), day: 118, precision: 'month' },
  ],
  documents: [
    { title: onlyEn('Two places for one wharf'), file: '/demo/documents/harbour-cockle-wharf.pdf', language: 'en' },
    { title: onlyEn('Wave heights at the point'), file: '/demo/documents/harbour-wave-heights.txt', language: 'en' },
  ],
  updates: [
    {
      slug: 'wharf-first-thousand',
      title: onlyEn('The first thousand: weekends and steps'),
      body: onlyEn(
        'More than a thousand of you have answered. The steps and the missing weekend boat lead by a long way. We have asked the state for a trial ferry on eight Sundays this summer, and will tell you as soon as we hear.',
      ),
      day: -5,
    },
    {
      slug: 'wharf-paper',
      title: onlyEn('Paper copies at the kiosk and the libraries'),
      body: onlyEn(
        'If you know someone who will not do this on a screen, pick up a copy for them. Reply paid, in English, Greek, Chinese and Vietnamese.',
      ),
      day: -17,
    },
  ],
  surveys: [survey],
}
