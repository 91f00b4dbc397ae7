import { longText, oneChoice, option, page, rating, severalChoices } from '../questions.ts'
import { onlyEn } from '../texts.ts'
import type { DemoProject } from '../types.ts'

export const dogBeach: DemoProject = {
  slug: 'dogs-at-little-beach',
  hub: 'foreshore',
  topic: 'foreshore',
  title: onlyEn('Dogs at Little Beach'),
  summary: onlyEn('What 1,023 people told us about 1,400 dogs and eleven pairs of plovers.'),
  body: onlyEn(
    `Little Beach is 190 metres long. In the early morning it belongs to dogs, by lunch to toddlers, and from August to January, above the tide line, to a bird that lays its eggs on bare sand.

For thirty years nobody had agreed on the rules, so everyone kept their own. We asked all of you at once, and the rangers, the vet and a plover biologist as well.`,
  ),
  picture: '/demo/harbour/dogs-at-little-beach.svg',
  pictureAlt: onlyEn('Drawing of a dog leaping for a ball at the edge of the sea'),
  status: 'published',
  opens: -130,
  closes: -82,
  place: { address: onlyEn('Little Beach, off Headland Road'), lat: -33.8405, lng: 151.2481 },
  team: [{ name: 'Tom Nguyen', role: onlyEn('Parks manager'), email: 'tom.nguyen' }],
  outcome: onlyEn(
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
    { title: onlyEn('Survey'), day: -130, precision: 'month' },
    { title: onlyEn('Results published'), day: -33 },
    { title: onlyEn('New hours begin'), day: 20 },
  ],
  documents: [],
  updates: [
    {
      slug: 'dogs-results',
      title: onlyEn('Mornings, evenings, and a fence for the plovers'),
      body: onlyEn('The results are up. Thank you for 1,023 answers, 312 photographs of dogs and one of a very cross plover.'),
      day: -33,
    },
  ],
  surveys: [
    {
      slug: 'whose-beach',
      title: onlyEn('Whose beach?'),
      intro: onlyEn('Four questions. Dogs may help.'),
      thanks: onlyEn('Thanks from all of us, on two legs and four.'),
      status: 'published',
      resultsPublic: true,
      minutes: 3,
      pages: [
        page(
          'p1',
          onlyEn('Little Beach'),
          oneChoice(
            'q_dog',
            onlyEn('Do you have a dog?'),
            [option('yes', onlyEn('Yes')), option('no', onlyEn('No')), option('want', onlyEn('No, but I wish I did'))],
            { required: true },
          ),
          oneChoice(
            'q_rule',
            onlyEn('What would be fair?'),
            [
              option('hours', onlyEn('Off the lead in the morning and evening')),
              option('lead', onlyEn('On the lead at all times')),
              option('none', onlyEn('No dogs')),
              option('free', onlyEn('No rules')),
            ],
            { required: true },
          ),
          severalChoices('q_need', onlyEn('What does the beach need?'), [
            option('bins', onlyEn('Bins')),
            option('tap', onlyEn('A tap')),
            option('sign', onlyEn('A clear sign')),
            option('fence', onlyEn('A fence for the birds')),
            option('shade', onlyEn('Shade')),
          ]),
          longText('q_say', onlyEn('What have you seen there?')),
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
  title: onlyEn('The missing 400 metres of the clifftop walk'),
  summary: onlyEn('The survey has closed. We are weighing 402 answers against a very steep cliff.'),
  body: onlyEn(
    `You can walk from the wharf to the lighthouse, except for 400 metres where the path becomes a road without a footpath. We asked whether to go along the cliff, behind the houses, or along the road with one lane fewer.

The answers are in. Geologists finish with the cliff on {date:+18}, and then we publish both together.`,
  ),
  picture: '/demo/harbour/clifftop-walk.svg',
  pictureAlt: onlyEn('Drawing of walkers on a cliff path above the sea, with a lighthouse'),
  status: 'published',
  opens: -66,
  closes: -10,
  team: [{ name: 'Georgia Papadakis', role: onlyEn('Foreshore project lead'), email: 'georgia.papadakis' }],
  dates: [
    { title: onlyEn('Survey closed'), day: -10 },
    { title: onlyEn('Results and geology published'), day: 18 },
  ],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'which-way-round',
      title: onlyEn('Which way round?'),
      intro: onlyEn('Three questions.'),
      thanks: onlyEn('Thanks.'),
      status: 'published',
      minutes: 3,
      pages: [
        page(
          'p1',
          onlyEn('The way'),
          oneChoice(
            'q_way',
            onlyEn('Which way?'),
            [
              option('cliff', onlyEn('Along the cliff'), onlyEn('The view, and 118 steps')),
              option('behind', onlyEn('Behind the houses'), onlyEn('Level, no view')),
              option('road', onlyEn('Along the road'), onlyEn('Level, one lane fewer')),
            ],
            { required: true },
          ),
          rating('q_steps', onlyEn('How are you with steps?'), onlyEn('Cannot do them'), onlyEn('No trouble')),
          longText('q_view', onlyEn('What should the walk never lose?')),
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
  title: onlyEn('Food scraps out of the red bin'),
  summary: onlyEn('You chose the caddy, the day and the bags. Half of our rubbish is now soil.'),
  body: onlyEn(
    `Half of what was in the red bin used to be food. We asked how to collect it so that flats could join in and nothing would smell.

You chose a small caddy with bags, every week, with red bins every fortnight, and flats first.`,
  ),
  picture: '/demo/harbour/food-scraps.svg',
  pictureAlt: onlyEn('Drawing of a kitchen caddy and peelings turning into a seedling'),
  status: 'archived',
  opens: -660,
  closes: -610,
  archived: -60,
  team: [{ name: 'Ruth Abela', role: onlyEn('Waste services'), email: 'ruth.abela' }],
  outcome: onlyEn(
    `## What people told us
Free bags, a caddy with a lid that locks, and start with the flats, because they had waited longest.

## What changed
- 31,000 caddies are in kitchens, flats first.
- 5,200 tonnes a year become soil for the parks.
- The red bin comes every fortnight, and nappies have a collection of their own.`,
  ),
  dates: [{ title: onlyEn('Last suburb joined'), day: -75, precision: 'month' }],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'your-caddy',
      title: onlyEn('Your caddy'),
      intro: onlyEn('Two questions.'),
      thanks: onlyEn('Thanks.'),
      status: 'archived',
      resultsPublic: true,
      minutes: 2,
      pages: [
        page(
          'p1',
          onlyEn('Kitchen'),
          oneChoice(
            'q_caddy',
            onlyEn('Which caddy?'),
            [option('small', onlyEn('Small, on the bench')), option('big', onlyEn('Big, under the sink'))],
            {
              required: true,
            },
          ),
          severalChoices('q_worry', onlyEn('What worries you?'), [
            option('smell', onlyEn('Smell')),
            option('flies', onlyEn('Flies')),
            option('bags', onlyEn('Cost of bags')),
            option('space', onlyEn('Space')),
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
