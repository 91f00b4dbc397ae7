import { cyEn } from '../texts.ts'
import type { DemoIdeas } from '../types.ts'

/** Ideas for the river in Dyffryn, in Welsh and English. */
export const riverIdeas: DemoIdeas = {
  project: 'lle-i-r-afon',
  reactions: 'agree_disagree',
  stages: [
    {
      title: cyEn('Gwrando', 'Listening'),
      summary: cyEn('Dywedwch beth sydd ei angen ar lan yr afon.', 'Tell us what the riverside needs.'),
      kind: 'listen',
      starts: -16,
      ends: 30,
    },
    {
      title: cyEn('Cynllunio', 'Planning'),
      summary: cyEn('Bydd peirianwyr yn llunio cynllun.', 'Engineers draw up a plan.'),
      kind: 'decide',
      starts: 32,
      ends: 80,
    },
  ],
  activity: {
    slug: 'ideas',
    title: cyEn('Syniadau am lan yr afon', 'Ideas for the riverside'),
    intro: cyEn(
      'Beth fyddai’n gwneud glan yr afon yn lle gwell? Darllenwch syniadau eich cymdogion ac ychwanegwch eich un chi.',
      'What would make the riverside better? Read your neighbours’ ideas and add your own.',
    ),
    categories: [
      { id: 'paths', title: cyEn('Llwybrau', 'Paths') },
      { id: 'nature', title: cyEn('Natur', 'Nature') },
    ],
  },
  declinedReason: cyEn('Mae’n sôn am berson y gellir ei adnabod.', 'It is about a person who can be recognised.'),
  answers: [
    {
      of: 'Meinciau wrth y bont',
      status: 'planned',
      days: -3,
      text: cyEn('Bydd dwy fainc yno cyn y Pasg.', 'Two benches will be there before Easter.'),
      team: cyEn('Tîm yr afon', 'The river team'),
    },
  ],
  ideas: [
    {
      language: 'cy',
      category: 'paths',
      title: 'Meinciau wrth y bont',
      body: 'Mae’n bell i gerdded o’r neuadd heb orffwys.',
      supports: 18,
      disagrees: 2,
      name: 'Eleri',
    },
    {
      language: 'cy',
      category: 'nature',
      title: 'Plannu helyg ar y lan',
      body: 'Byddai’r gwreiddiau’n dal y pridd pan ddaw’r llif.',
      supports: 23,
      disagrees: 6,
      replies: [['Gwyn', 'A lle i’r dyfrgwn hefyd.']],
    },
    {
      language: 'en',
      category: 'paths',
      title: 'A handrail on the steps',
      body: 'They are green with moss from October.',
      supports: 15,
      disagrees: 1,
      name: 'Joan',
    },
    {
      language: 'cy',
      category: 'paths',
      title: 'Goleuadau isel ar y llwybr',
      body: 'Digon i weld y pyllau, heb darfu ar yr ystlumod.',
      supports: 11,
      disagrees: 7,
      name: 'Rhys',
    },
    {
      language: 'cy',
      category: 'nature',
      title: 'Cae gwlyb yn lle wal',
      body: 'Gadewch i’r afon ledu i’r cae pêl-droed yn y gaeaf.',
      supports: 9,
      disagrees: 4,
      state: 'held',
    },
  ],
}
