import { cyEn } from '../texts.ts'
import type { DemoEvent } from '../types.ts'

/** A walk with places left. */
export const dyffrynEvents: DemoEvent[] = [
  {
    project: 'lle-i-r-afon',
    slug: 'taith-gerdded-glan-yr-afon',
    title: cyEn('Taith gerdded ar lan yr afon', 'Walk along the river'),
    description: cyEn(
      'Cerdded o’r bont i’r ddôl gyda’r peirianwyr, yn Gymraeg a Saesneg. Cewch weld ble bydd yr afon yn cael lle, a gofyn beth fynnwch.',
      'From the bridge to the meadow with the engineers, in Welsh and English. See where the river will have room, and ask what you like.',
    ),
    place: cyEn('Wrth y bont, Tre-wen', 'At the bridge, Tre-wen'),
    accessInfo: cyEn(
      'Mae’r llwybr yn wastad ond yn wlyb ar ôl glaw. Mae lle i barcio wrth y bont.',
      'The path is level but wet after rain. There is parking at the bridge.',
    ),
    day: 8,
    hour: 10,
    hours: 2,
    capacity: 30,
    signUps: 18,
  },
]
