import type { DemoTown } from '../types.ts'
import { trees } from './trees.ts'

const ANGLES: Record<string, number> = {
  Westend: 4,
  'Old Harbour': -9,
  Millside: 3,
  'South Shore': -6,
  'Cedar Hill': 14,
  Northgate: 2,
  'Sainte-Anne': -12,
  'Heron Park': 8,
}

/** A town on the north bank of a river: what its stories name lies where they say. */
export const town: DemoTown = {
  credit: 'Invented streets of the City of Riverbend',
  areas: 'wards',
  quarters: Object.entries(trees.streets).map(([name, streets]) => ({ name, streets, angle: ANGLES[name] ?? 0 })),
  otherStreets: {
    first:
      'Alder Birch Beech Linden Poplar Walnut Chestnut Juniper Larch Heather Clover Lark Finch Swan Otter Miller Cooper Potter Saddler Chandler Mason Bishop Abbey Garden Market Station School Chapel Hill Brook Meadow Orchard Quarry Ferry Wharf Granary Tannery Foundry Lantern Anchor'.split(
        ' ',
      ),
    last: ['Street', 'Avenue', 'Road', 'Lane', 'Drive', 'Court', 'Place'],
    french: {
      last: ['Rue', 'Avenue', 'Chemin', 'Allée'],
      quarter: 'Sainte-Anne',
      first:
        'des Érables|du Moulin|des Tanneurs|Champlain|du Marché|des Pins|de l’Église|Gauthier|Belanger|des Lilas|du Quai|Saint-Joseph|des Ormes|Tremblay|du Pont'.split(
          '|',
        ),
    },
  },
  waters: [
    {
      name: 'Alder River',
      names: { 'name:fr': 'Rivière Alder' },
      metres: 340,
      middle: [
        [-74.81, 44.9985], [-74.785, 44.9985], [-74.765, 44.9972], [-74.748, 44.9955], [-74.728, 44.9945], [-74.708, 44.9952], [-74.69, 44.9962], [-74.672, 44.9968], [-74.65, 44.998],
      ], // prettier-ignore
    },
    {
      name: 'Heron Pond',
      metres: 260,
      middle: [
        [-74.6905, 45.031],
        [-74.686, 45.0322],
      ],
    },
  ],
  streams: [{ name: 'Mill Race', middle: [[-74.7345, 45.05], [-74.7333, 45.035], [-74.7352, 45.021], [-74.7344, 45.008], [-74.734, 44.9985]] }], // prettier-ignore
  parks: [
    { name: 'Heron Park', at: [-74.688, 45.031], metres: [1300, 800] },
    { name: 'Riverfront Green', at: [-74.722, 44.9995], metres: [1500, 230] },
    { name: 'Cedar Hill Park', at: [-74.772, 45.034], metres: [620, 480] },
    { name: 'Northgate Common', at: [-74.7455, 45.0335], metres: [420, 300] },
    { name: 'Parc du Couvent', at: [-74.717, 45.034], metres: [380, 260] },
    { name: 'Westend Fields', at: [-74.7745, 45.0115], metres: [460, 330] },
    { name: 'Shore Meadow', at: [-74.69, 45.0015], metres: [800, 260] },
  ],
  mains: [
    { name: 'River Road', kind: 'primary', middle: [[-74.81, 45.0035], [-74.78, 45.0035], [-74.757, 45.0025], [-74.735, 45.0018], [-74.71, 45.0022], [-74.69, 45.0035], [-74.66, 45.006]] },
    { name: 'Fern Street', kind: 'secondary', middle: [[-74.731, 45.002], [-74.7305, 45.0125], [-74.73, 45.0205], [-74.7305, 45.0245]] },
    { name: 'Northgate Road', kind: 'primary', middle: [[-74.7305, 45.0245], [-74.735, 45.035], [-74.7405, 45.0475], [-74.744, 45.062]] },
    { name: 'Old Bridge', kind: 'secondary', middle: [[-74.731, 45.002], [-74.7315, 44.9945], [-74.7318, 44.988]] },
    { name: 'Harbour Road', kind: 'secondary', middle: [[-74.757, 45.0025], [-74.748, 45.0092], [-74.7305, 45.0125], [-74.7188, 45.0102], [-74.7025, 45.0112], [-74.68, 45.0135], [-74.655, 45.0165]] },
    { name: 'Westend Avenue', kind: 'secondary', middle: [[-74.81, 45.021], [-74.785, 45.0202], [-74.76, 45.0193], [-74.7305, 45.0205]] },
    { name: 'Rue Sainte-Anne', kind: 'secondary', middle: [[-74.7305, 45.0245], [-74.717, 45.0275], [-74.702, 45.0292], [-74.68, 45.0405], [-74.655, 45.049]] },
    { name: 'Cedar Street', kind: 'tertiary', middle: [[-74.79, 45.046], [-74.772, 45.0425], [-74.7545, 45.0455], [-74.7405, 45.0461], [-74.72, 45.0458], [-74.7, 45.0455]] },
    { name: 'Mill Lane', kind: 'tertiary', middle: [[-74.7305, 45.0212], [-74.722, 45.0178], [-74.713, 45.0155], [-74.7025, 45.0112]] },
  ], // prettier-ignore
  rails: [{ middle: [[-74.81, 45.0155], [-74.775, 45.0165], [-74.75, 45.0158], [-74.72, 45.0225], [-74.69, 45.0235], [-74.65, 45.0265]] }], // prettier-ignore
}
