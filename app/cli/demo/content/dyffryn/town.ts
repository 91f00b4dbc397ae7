import type { DemoTown } from '../types.ts'

/** A valley of villages along one river and one road. */
export const town: DemoTown = {
  credit: 'Strydoedd dychmygol Cyngor Dyffryn',
  areas: 'cymunedau',
  quarters: [
    { name: 'Pont-yr-Afon', streets: ['Stryd Fawr', 'Heol y Bont', 'Stryd yr Afon', 'Lôn y Felin', 'Heol yr Orsaf', 'Maes y Dre'], angle: 12, metres: 760, at: [-3.7895, 52.6672] },
    { name: 'Cae’r Bont', streets: ['Heol Cae’r Bont', 'Ffordd y Cae', 'Maes y Coed', 'Lôn Las'], angle: -20, metres: 470, at: [-3.7655, 52.6668] },
    { name: 'Llan-y-Cwm', streets: ['Sgwâr Llan-y-Cwm', 'Heol Seion', 'Stryd y Llan', 'Heol yr Eglwys', 'Rhes y Capel'], angle: 28, metres: 560, at: [-3.7705, 52.686] },
    { name: 'Tre-wen', streets: ['Heol yr Ysgol', 'Ffordd Wen', 'Stryd Newydd', 'Lôn yr Ardd'], angle: -8, metres: 500, at: [-3.7535, 52.692] },
    { name: 'Blaen-y-Nant', streets: ['Heol y Nant', 'Lôn y Mynydd', 'Rhes y Chwarel'], angle: 40, metres: 420, at: [-3.7815, 52.7015] },
    { name: 'Coed-y-Ffridd', streets: ['Ffordd y Ffridd', 'Lôn y Coed', 'Maes y Derw'], angle: -30, metres: 400, at: [-3.8005, 52.6852] },
  ], // prettier-ignore
  otherStreets: {
    first:
      'y Parc|y Wern|Glas|y Berllan|Isaf|Uchaf|y Gog|y Deri|y Garreg|y Ffynnon|y Gof|y Gwynt|yr Haul|y Bryn|y Waun|yr Onnen|y Fedwen|y Celyn|yr Efail|y Neuadd'.split(
        '|',
      ),
    last: ['Heol', 'Lôn', 'Ffordd', 'Stryd', 'Maes', 'Rhes'],
    isLastFirst: true,
  },
  waters: [
    {
      name: 'Afon Arian',
      metres: 46,
      middle: [
        [-3.785, 52.73], [-3.7825, 52.715], [-3.7835, 52.7065], [-3.7785, 52.6985], [-3.7762, 52.6905], [-3.7802, 52.6838], [-3.7778, 52.6768], [-3.7835, 52.6702], [-3.7868, 52.6638], [-3.7925, 52.6585], [-3.796, 52.645],
      ], // prettier-ignore
    },
    {
      name: 'Llyn y Ffridd',
      metres: 210,
      middle: [
        [-3.8075, 52.6905],
        [-3.805, 52.6925],
      ],
    },
  ],
  streams: [{ name: 'Nant y Coed', middle: [[-3.812, 52.683], [-3.799, 52.6812], [-3.7905, 52.6775], [-3.7785, 52.676]] }, { name: 'Nant Wen', middle: [[-3.742, 52.7], [-3.752, 52.6885], [-3.764, 52.6822], [-3.7778, 52.6768]] }], // prettier-ignore
  parks: [
    { name: 'Dolydd yr Afon', at: [-3.7835, 52.6735], metres: [620, 560] },
    { name: 'Parc Pont-yr-Afon', at: [-3.7945, 52.6632], metres: [330, 260] },
    { name: 'Coed y Ffridd', at: [-3.807, 52.6795], metres: [780, 700] },
    { name: 'Coed Tre-wen', at: [-3.742, 52.6935], metres: [560, 640] },
    { name: 'Cae’r Llan', at: [-3.7665, 52.6888], metres: [240, 180] },
  ],
  mains: [
    { name: 'Stryd Fawr', kind: 'primary', middle: [[-3.803, 52.65], [-3.7965, 52.6592], [-3.7901, 52.6668], [-3.7872, 52.672]] },
    { name: 'Ffordd y Cwm', kind: 'primary', middle: [[-3.7872, 52.672], [-3.7822, 52.6765], [-3.7735, 52.6822], [-3.7712, 52.6868], [-3.7725, 52.693], [-3.7795, 52.7], [-3.7862, 52.7085], [-3.789, 52.728]] },
    { name: 'Ffordd Tre-wen', kind: 'secondary', middle: [[-3.7712, 52.6868], [-3.7625, 52.6895], [-3.7535, 52.692], [-3.742, 52.6985], [-3.728, 52.704]] },
    { name: 'Heol y Bont', kind: 'secondary', middle: [[-3.7901, 52.6668], [-3.7835, 52.6663], [-3.7755, 52.6668], [-3.7655, 52.6668], [-3.745, 52.6625]] },
    { name: 'Ffordd y Ffridd', kind: 'tertiary', middle: [[-3.7872, 52.672], [-3.794, 52.6785], [-3.8005, 52.6852], [-3.818, 52.6905]] },
  ], // prettier-ignore
  rails: [{ middle: [[-3.8, 52.648], [-3.7935, 52.6592], [-3.7872, 52.6648], [-3.781, 52.673], [-3.7755, 52.68], [-3.7742, 52.69], [-3.777, 52.703], [-3.78, 52.728]] }], // prettier-ignore
}
