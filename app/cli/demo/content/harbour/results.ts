import { long, one, option, page, rating, several } from '../questions.ts'
import { en } from '../texts.ts'
import type { DemoProject } from '../types.ts'

export const dogBeach: DemoProject = {
  slug: 'dogs-at-little-beach',
  hub: 'foreshore',
  topic: 'foreshore',
  title: en('Dogs at Little Beach'),
  summary: en('What 1,023 people told us about 1,400 dogs and eleven pairs of plovers.'),
  body: en(
    `Little Beach is 190 metres long. In the early morning it belongs to dogs, by lunch to toddlers, and from August to January, above the tide line, to a bird that lays its eggs on bare sand.

For thirty years nobody had agreed on the rules, so everyone kept their own. We asked all of you at once, and the rangers, the vet and a plover biologist as well.`,
  ),
  picture: '/demo/harbour/dogs-at-little-beach.svg',
  pictureAlt: en('Drawing of a dog leaping for a ball at the edge of the sea'),
  status: 'published',
  opens: -130,
  closes: -82,
  place: { address: en('Little Beach, off Headland Road'), lat: -33.8405, lng: 151.2481 },
  team: [{ name: 'Tom Nguyen', role: en('Parks manager'), email: 'tom.nguyen' }],
  outcome: en(
    `## What people told us
1,023 people answered; six in ten of you have a dog. Almost everyone, with dogs or without, wanted hours rather than a ban. About six in ten chose mornings and evenings off the lead. Fewer than one in ten wanted no dogs at all, and about as many wanted no rules.

## What changes
- Dogs are welcome off the lead before 9 am and after 5 pm, on the lead in between.
- The top 30 metres are fenced from August to January, for the plovers.
- There are two more bins, a tap at dog height, and a sign that a person can read without stopping.

## What does not change, and why
The rock platform stays closed to dogs all year. It is a nursery for octopus and sea hares, and the state’s rules leave us no choice.`,
  ),
  dates: [
    { title: en('Survey'), day: -130, precision: 'month' },
    { title: en('Results published'), day: -33 },
    { title: en('New hours begin'), day: 20 },
  ],
  documents: [],
  updates: [
    {
      slug: 'dogs-results',
      title: en('Mornings, evenings, and a fence for the plovers'),
      body: en('The results are up. Thank you for 1,023 answers, 312 photographs of dogs and one of a very cross plover.'),
      day: -33,
    },
  ],
  surveys: [
    {
      slug: 'whose-beach',
      title: en('Whose beach?'),
      intro: en('Four questions. Dogs may help.'),
      thanks: en('Thanks from all of us, on two legs and four.'),
      status: 'published',
      resultsPublic: true,
      minutes: 3,
      pages: [
        page(
          'p1',
          en('Little Beach'),
          one(
            'q_dog',
            en('Do you have a dog?'),
            [option('yes', en('Yes')), option('no', en('No')), option('want', en('No, but I wish I did'))],
            { required: true },
          ),
          one(
            'q_rule',
            en('What would be fair?'),
            [
              option('hours', en('Off the lead in the morning and evening')),
              option('lead', en('On the lead at all times')),
              option('none', en('No dogs')),
              option('free', en('No rules')),
            ],
            { required: true },
          ),
          several('q_need', en('What does the beach need?'), [
            option('bins', en('Bins')),
            option('tap', en('A tap')),
            option('sign', en('A clear sign')),
            option('fence', en('A fence for the birds')),
            option('shade', en('Shade')),
          ]),
          long('q_say', en('What have you seen there?')),
        ),
      ],
      crowd: {
        people: 1023,
        usual: {
          q_dog: { o_yes: 53, o_no: 37, o_want: 10 },
          q_rule: { o_hours: 60, o_lead: 23, o_none: 8, o_free: 9 },
          q_need: { o_bins: 0.5, o_tap: 0.4, o_sign: 0.36, o_fence: 0.42, o_shade: 0.2 },
          q_say: 0.3,
        },
        kinds: [
          {
            name: 'owner',
            share: 54,
            leans: { q_dog: { o_yes: 12, o_no: 0.1 }, q_rule: { o_none: 0.05, o_free: 1.5, o_lead: 0.5 }, q_need: { o_tap: 1.3 } },
          },
          { name: 'bather', share: 30, leans: { q_dog: { o_yes: 0.1 }, q_rule: { o_lead: 1.8, o_none: 2 } } },
          { name: 'birder', share: 16, leans: { q_rule: { o_lead: 1.4, o_none: 1.6, o_free: 0.1 }, q_need: { o_fence: 2.2 } } },
        ],
        words: {
          q_say: {
            all: {
              en: [
                'A labrador who steals towels. He knows who he is.',
                'Three plover chicks, then two, then none.',
                'My daughter was knocked over. The owner was lovely about it.',
                'People who look after each other’s dogs.',
                'Nothing but joy at six in the morning.',
                'Bags left hanging in the trees. Why?',
                'A plover seeing off a great dane.',
              ],
            },
          },
        },
      },
    },
  ],
}

export const clifftopWalk: DemoProject = {
  slug: 'clifftop-walk',
  hub: 'foreshore',
  topic: 'foreshore',
  title: en('The missing 400 metres of the clifftop walk'),
  summary: en('The survey has closed. We are weighing 402 answers against a very steep cliff.'),
  body: en(
    `You can walk from the wharf to the lighthouse, except for 400 metres where the path becomes a road without a footpath. We asked whether to go along the cliff, behind the houses, or along the road with one lane fewer.

The answers are in. Geologists finish with the cliff on {date:+18}, and then we publish both together.`,
  ),
  picture: '/demo/harbour/clifftop-walk.svg',
  pictureAlt: en('Drawing of walkers on a cliff path above the sea, with a lighthouse'),
  status: 'published',
  opens: -66,
  closes: -10,
  team: [{ name: 'Georgia Papadakis', role: en('Foreshore project lead'), email: 'georgia.papadakis' }],
  dates: [
    { title: en('Survey closed'), day: -10 },
    { title: en('Results and geology published'), day: 18 },
  ],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'which-way-round',
      title: en('Which way round?'),
      intro: en('Three questions.'),
      thanks: en('Thanks.'),
      status: 'published',
      minutes: 3,
      pages: [
        page(
          'p1',
          en('The way'),
          one(
            'q_way',
            en('Which way?'),
            [
              option('cliff', en('Along the cliff'), en('The view, and 118 steps')),
              option('behind', en('Behind the houses'), en('Level, no view')),
              option('road', en('Along the road'), en('Level, one lane fewer')),
            ],
            { required: true },
          ),
          rating('q_steps', en('How are you with steps?'), en('Cannot do them'), en('No trouble')),
          long('q_view', en('What should the walk never lose?')),
        ),
      ],
      crowd: {
        people: 402,
        usual: { q_way: { o_cliff: 44, o_behind: 17, o_road: 39 }, q_steps: 3.4, q_view: 0.3 },
        kinds: [
          { name: 'walker', share: 60, leans: { q_steps: 0.8, q_way: { o_cliff: 1.6 } } },
          { name: 'wheels', share: 40, leans: { q_steps: -1.4, q_way: { o_road: 2, o_cliff: 0.4 } } },
        ],
        words: {
          q_view: {
            all: {
              en: [
                'The whales in June.',
                'Being able to push a chair all the way to the lighthouse.',
                'Its quiet.',
                'The bench with the plaque for Con.',
                'Flannel flowers after fire.',
                'That it is free.',
              ],
            },
          },
        },
      },
    },
  ],
}

export const foodScraps: DemoProject = {
  slug: 'food-scraps',
  hub: null,
  topic: 'environment',
  title: en('Food scraps out of the red bin'),
  summary: en('You chose the caddy, the day and the bags. Half of our rubbish is now soil.'),
  body: en(
    `Half of what was in the red bin used to be food. We asked how to collect it so that flats could join in and nothing would smell.

You chose a small caddy with bags, every week, with red bins every fortnight, and flats first.`,
  ),
  picture: '/demo/harbour/food-scraps.svg',
  pictureAlt: en('Drawing of a kitchen caddy and peelings turning into a seedling'),
  status: 'archived',
  opens: -660,
  closes: -610,
  archived: -60,
  team: [{ name: 'Ruth Abela', role: en('Waste services'), email: 'ruth.abela' }],
  outcome: en(
    `## What people told us
Free bags, a caddy with a lid that locks, and start with the flats, because they had waited longest.

## What changed
- 31,000 caddies are in kitchens, flats first.
- 5,200 tonnes a year become soil for the parks.
- The red bin comes every fortnight, and nappies have a collection of their own.`,
  ),
  dates: [{ title: en('Last suburb joined'), day: -75, precision: 'month' }],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'your-caddy',
      title: en('Your caddy'),
      intro: en('Two questions.'),
      thanks: en('Thanks.'),
      status: 'archived',
      resultsPublic: true,
      minutes: 2,
      pages: [
        page(
          'p1',
          en('Kitchen'),
          one('q_caddy', en('Which caddy?'), [option('small', en('Small, on the bench')), option('big', en('Big, under the sink'))], {
            required: true,
          }),
          several('q_worry', en('What worries you?'), [
            option('smell', en('Smell')),
            option('flies', en('Flies')),
            option('bags', en('Cost of bags')),
            option('space', en('Space')),
          ]),
        ),
      ],
      crowd: {
        people: 611,
        usual: { q_caddy: { o_small: 68, o_big: 32 }, q_worry: { o_smell: 0.6, o_flies: 0.4, o_bags: 0.44, o_space: 0.3 } },
        kinds: [{ name: 'everyone', share: 1 }],
        words: {},
      },
    },
  ],
}
