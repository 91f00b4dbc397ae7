import { cyEn } from '../texts.ts'
import type { DemoDataset } from '../types.ts'

const FOLDER = '/demo/data/dyffryn'

/** Dyffryn's open data. Its portal is a folder of the product's own; its communities are the site's areas. */
export const datasets: DemoDataset[] = [
  {
    slug: 'cymunedau',
    connector: FOLDER,
    file: `${FOLDER}/cymunedau.geojson`,
    project: null,
    title: cyEn('Cymunedau Dyffryn', 'Communities of Dyffryn'),
    description: cyEn(
      'Chwe chymuned y sir: faint o bobl ac aelwydydd sydd ym mhob un, a lle mae hi ar y map.',
      'The six communities of the county: how many people and households each has, and where it lies on the map.',
    ),
    columns: [
      { key: 'cymuned', type: 'text', name: cyEn('Cymuned', 'Community') },
      { key: 'pobl', type: 'number', name: cyEn('Pobl', 'People') },
      { key: 'aelwydydd', type: 'number', name: cyEn('Aelwydydd', 'Households') },
      { key: 'codau post', type: 'text', name: cyEn('Codau post', 'Postcodes') },
      { key: 'place', type: 'place', name: cyEn('Lle', 'Place') },
    ],
    chart: { form: 'bar', label: 'cymuned', values: 'pobl' },
    boundaries: { name: 'cymuned', postcodes: 'codau post' },
  },
  {
    slug: 'lefel-yr-afon',
    connector: FOLDER,
    file: `${FOLDER}/lefel-yr-afon.csv`,
    project: 'lle-i-r-afon',
    title: cyEn('Lefel afon Arian ym Mhont-yr-Afon', 'Level of the Afon Arian at Pont-yr-Afon'),
    description: cyEn(
      'Lefel uchaf yr afon ym mhob wythnos, a’r glaw a ddisgynnodd ar y bryniau uwchben. Mae dŵr yn cyrraedd y Stryd Fawr ar 2.4 metr.',
      'The river’s highest level of each week, and the rain that fell on the hills above. Water reaches the High Street at 2.4 metres.',
    ),
    columns: [
      { key: 'wythnos', type: 'date', name: cyEn('Wythnos', 'Week') },
      { key: 'lefel (m)', type: 'number', name: cyEn('Lefel (m)', 'Level (m)') },
      { key: 'glaw (mm)', type: 'number', name: cyEn('Glaw (mm)', 'Rain (mm)') },
    ],
    chart: { form: 'line', label: 'wythnos', values: 'lefel (m)' },
  },
  {
    slug: 'arosfannau-bws',
    connector: FOLDER,
    file: `${FOLDER}/arosfannau-bws.csv`,
    project: 'bws-y-cwm',
    title: cyEn('Pwy sy’n dal y bws, ac ymhle', 'Who catches the bus, and where'),
    description: cyEn(
      'Pobl sy’n mynd ar y bws ym mhob arhosfan ar ddiwrnod gwaith arferol, a oes lloches yno, a phryd mae’r bws olaf yn gadael.',
      'People who board at each stop on an ordinary working day, whether it has a shelter, and when the last bus leaves.',
    ),
    columns: [
      { key: 'arhosfan', type: 'text', name: cyEn('Arhosfan', 'Stop') },
      { key: 'cymuned', type: 'text', name: cyEn('Cymuned', 'Community') },
      { key: 'teithwyr y dydd', type: 'number', name: cyEn('Teithwyr y dydd', 'Passengers a day') },
      { key: 'lloches', type: 'yes-no', name: cyEn('Lloches', 'Shelter') },
      { key: 'bws olaf', type: 'text', name: cyEn('Bws olaf', 'Last bus') },
      { key: 'place', type: 'place', name: cyEn('Lle', 'Place') },
    ],
    chart: { form: 'bar', label: 'cymuned', values: 'teithwyr y dydd' },
  },
]
