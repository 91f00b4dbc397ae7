import { onlyEn } from '../texts.ts'
import type { DemoStories } from '../types.ts'

/** What people remember of the old wharf, in the order it was sent. */
export const wharfStories: DemoStories = {
  project: 'cockle-wharf',
  activity: {
    slug: 'wharf-stories',
    title: onlyEn('Your stories of the old wharf'),
    intro: onlyEn(
      'Before the old timber comes down, tell us what happened on it. Add a photo or a drawing if you have one. We will hang some of them in the new waiting room, if you agree.',
    ),
    categories: [
      { id: 'family', title: onlyEn('Family') },
      { id: 'fishing', title: onlyEn('Fishing') },
      { id: 'weather', title: onlyEn('Weather') },
    ],
  },
  stories: [
    {
      title: 'My grandmother’s forty-two steps',
      body: `She came down them every morning from 1951 on, with two bags, to clean the offices in the city. She never took the lift in any building afterwards. She said she had earned the right to walk slowly.\n\nShe counted them aloud with me when I was small, in Greek. I still cannot count to forty-two any other way.`,
      category: 'family',
      name: 'Eleni',
      day: -20,
      supports: 61,
      replies: [['Marcus', 'I remember her. She carried my school bag too, once, because I was crying.']],
      photos: [
        {
          file: 'forty-two-steps.svg',
          alt: 'An old brown print of a woman in a long coat who climbs the wharf steps with a bag in each hand',
        },
      ],
    },
    {
      title: 'The last boat on a Friday',
      body: 'A quarter to seven. You could see from the bar whether you would make it. We mostly did not, and walked home the long way round the bay, and two of us got married because of it.',
      category: 'family',
      name: 'Pat',
      day: -17,
      supports: 48,
      photos: [{ file: 'evening-ferry.svg', alt: 'The green and cream ferry with its lights on, leaving the wharf as the sun goes down' }],
    },
    {
      title: 'First bream',
      body: 'Third plank from the end, on the side where the light is. My daughter was six. She wanted to throw it back and then she wanted to eat it and then she wanted to throw it back.',
      category: 'fishing',
      name: 'Tuan',
      day: -12,
      supports: 33,
      photos: [
        { file: 'first-bream.svg', alt: 'A girl in a yellow hat and a red jacket holds up a silver fish' },
        {
          file: 'bucket-and-line.svg',
          alt: 'A blue bucket with a small fish in it, a coil of white line and a red tackle box on the planks',
        },
      ],
    },
    {
      title: 'The night the railing went',
      body: 'I was the one who rang the council. It did not snap, it sort of sighed, and then forty metres of it were in the bay. In the morning somebody had tied a bunch of flowers to what was left.',
      category: 'weather',
      day: -9,
      supports: 27,
      photos: [{ file: 'june-storm.svg', alt: 'Waves break over the wharf in the rain; most of its railing is gone' }],
    },
    {
      title: 'I never had one',
      body: 'I have lived two hundred metres away for fifty years. I use a chair, so I have never been on it. Build the new one and I will have a story.',
      category: 'family',
      name: 'Ruth',
      day: -6,
      supports: 92,
      photos: [],
      isFromDemoParticipant: true,
    },
    {
      title: 'Us on the pontoon, summer of 1988',
      body: 'Four of us, every day for six weeks. I found this at the back of a drawer. I have asked the others and they are all fine with it.',
      category: 'family',
      name: 'Sal',
      day: -1,
      supports: 0,
      photos: [{ file: 'pontoon.svg', alt: 'A faded print of four children who stand arm in arm on a wooden pontoon' }],
      isHeld: true,
    },
  ],
}
