import { onlyEn } from '../texts.ts'
import type { DemoHub, DemoSite } from '../types.ts'

export const hubs: DemoHub[] = [
  {
    slug: 'foreshore',
    title: onlyEn('Foreshore and wharves'),
    summary: onlyEn('Eighteen kilometres of shore, five wharves, two ocean pools and the path between them.'),
    body: onlyEn(
      `The harbour is why most of us live here. We look after its edge: the sea walls, the wharves, the pools and the walking track, and we work with the state on ferries and with the lifesavers on everything that goes wrong.

The water is rising by about four millimetres a year. Much of what we ask you here is about what to lift, what to move and what to let go.`,
    ),
    picture: '/demo/harbour/hub-foreshore.svg',
    pictureAlt: onlyEn('Drawing of a ferry passing a sandstone headland'),
    contact: 'foreshore',
  },
  {
    slug: 'parks-and-trees',
    title: onlyEn('Parks and trees'),
    summary: onlyEn('Sixty-four reserves, eleven thousand street trees and one very old fig.'),
    body: onlyEn(
      `On a 40-degree day it is eight degrees cooler under a fig than beside a car park. We want two in five square metres of Harbour under leaves by the time today’s Year 1 finishes school.

We plant in autumn, prune in winter, and never take out a healthy tree without asking the street first.`,
    ),
    picture: '/demo/harbour/hub-parks.svg',
    pictureAlt: onlyEn('Drawing of a spreading fig with people in its shade'),
    contact: 'parks',
  },
  {
    slug: 'streets',
    title: onlyEn('Streets and transport'),
    summary: onlyEn('Footpaths, crossings, bike lanes, and where the cars go at the end of the day.'),
    body: onlyEn(
      `Harbour is steep, narrow and older than the car. We cannot make the streets wider, so we ask how to share them.

Report a cracked footpath on the council line. For how your street should work in ten years, start here.`,
    ),
    picture: '/demo/harbour/hub-streets.svg',
    pictureAlt: onlyEn('Drawing of terrace houses stepping down a hill to the water'),
    contact: 'streets',
  },
  {
    slug: 'community',
    title: onlyEn('Community and libraries'),
    summary: onlyEn('Three libraries, a theatre, the surf clubs, and a room for nearly everything.'),
    body: onlyEn(
      `We lend books, rooms, tools and, from next year, a tandem bicycle. We run swimming lessons for grown-ups, English conversation on Tuesdays, and the busiest chess table in Sydney.

Forty-one languages are spoken in Harbour. Ask at any library for a survey in yours, on paper or with an interpreter.`,
    ),
    picture: '/demo/harbour/hub-community.svg',
    pictureAlt: onlyEn('Drawing of a surf clubhouse with people on its steps'),
    contact: 'community',
  },
  {
    slug: 'planning',
    title: onlyEn('Planning and homes'),
    summary: onlyEn('What may be built, how high, and for whom.'),
    body: onlyEn(
      `Half of the people who work in Harbour cannot afford to live here. The state has given us a target of 2,300 new homes; where and how is a conversation we would rather have early.

Every application within 100 metres of your home comes to your letterbox. The rules behind them come here.`,
    ),
    picture: '/demo/harbour/hub-planning.svg',
    pictureAlt: onlyEn('Drawing of sandstone shops with balconies and new flats behind'),
    contact: 'planning',
  },
]

export const topics: DemoSite['topics'] = [
  { slug: 'foreshore', title: onlyEn('Foreshore') },
  { slug: 'transport', title: onlyEn('Transport') },
  { slug: 'parks', title: onlyEn('Parks') },
  { slug: 'community', title: onlyEn('Community') },
  { slug: 'housing', title: onlyEn('Housing') },
  { slug: 'environment', title: onlyEn('Environment') },
  { slug: 'young-people', title: onlyEn('Young people') },
]
