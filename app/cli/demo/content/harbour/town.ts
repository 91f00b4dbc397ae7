import type { DemoTown } from '../types.ts'

/** A town on a headland, with water on three sides. */
export const town: DemoTown = {
  credit: 'Invented streets of Harbour Council',
  quarters: [
    { name: 'The Wharf', streets: ['Harbour Street', 'Wharf Lane', 'Cockle Street', 'Library Lane', 'Fig Lane'], angle: 9, metres: 620, at: [151.2345, -33.8468] },
    { name: 'Signal Hill', streets: ['Signal Hill', 'Lookout Street', 'Semaphore Street', 'Flagstaff Lane'], angle: -16, metres: 640, at: [151.2405, -33.8515] },
    { name: 'Headland', streets: ['Headland Road', 'Tree Lane', 'Lantern Street', 'Bight Street'], angle: 24, metres: 560, at: [151.2462, -33.8438] },
    { name: 'Figtree', streets: ['Figtree Street', 'Bowling Green Lane', 'Orchard Street'], angle: 4, metres: 600, at: [151.2318, -33.8535] },
  ], // prettier-ignore
  otherStreets: {
    first:
      'Banksia Wattle Curlew Pelican Heron Tern Gannet Anchor Capstan Rope Sailmaker Oyster Bream Regatta Beacon Fathom Coral Sandstone Ironbark Tuckeroo'.split(
        ' ',
      ),
    last: ['Street', 'Lane', 'Road', 'Parade', 'Avenue'],
  },
  waters: [
    { name: 'Cockle Bay', metres: 900, middle: [[151.218, -33.836], [151.2235, -33.8405], [151.2262, -33.8445]] },
    { name: 'Harbour', metres: 1500, middle: [[151.21, -33.828], [151.236, -33.8315], [151.258, -33.8335], [151.275, -33.836]] },
    { name: 'The Bight', metres: 1300, middle: [[151.266, -33.834], [151.2628, -33.843], [151.262, -33.8535], [151.266, -33.866]] },
  ], // prettier-ignore
  streams: [],
  parks: [
    { name: 'Lookout Reserve', at: [151.2523, -33.8402], metres: [420, 330] },
    { name: 'Nan’s Green', at: [151.2392, -33.8446], metres: [230, 170] },
    { name: 'The Green', at: [151.2344, -33.8492], metres: [180, 150] },
    { name: 'Signal Hill Park', at: [151.2432, -33.8528], metres: [420, 300] },
    { name: 'Figtree Oval', at: [151.2285, -33.8548], metres: [300, 240] },
  ],
  mains: [
    { name: 'Harbour Street', kind: 'primary', middle: [[151.2315, -33.8435], [151.2351, -33.8459], [151.238, -33.848], [151.241, -33.855], [151.2425, -33.864]] },
    { name: 'Jacaranda Avenue', kind: 'secondary', middle: [[151.2365, -33.8467], [151.2389, -33.8472], [151.2418, -33.849], [151.244, -33.851]] },
    { name: 'Headland Road', kind: 'secondary', middle: [[151.2389, -33.8472], [151.243, -33.8435], [151.2481, -33.8405], [151.2517, -33.8391]] },
    { name: 'Bay Road', kind: 'secondary', middle: [[151.2205, -33.8605], [151.227, -33.856], [151.2318, -33.8515], [151.2351, -33.8459]] },
  ], // prettier-ignore
  rails: [],
}
