import { cyEn } from '../texts.ts'
import type { DemoProfileQuestion } from '../types.ts'

/** What Dyffryn asks people about themselves, in the words of the census. */
export const aboutPeople: readonly DemoProfileQuestion[] = [
  {
    key: 'cymraeg',
    type: 'several-choices',
    label: cyEn('Ydych chi’n gallu deall, siarad, darllen neu ysgrifennu Cymraeg?', 'Can you understand, speak, read or write Welsh?'),
    purpose: cyEn('er mwyn cynnal cyfarfodydd yn yr iaith y mae pobl yn ei dewis.', 'to hold meetings in the language that people choose.'),
    options: [
      { id: 'understand', label: cyEn('Deall Cymraeg llafar', 'Understand spoken Welsh'), share: 0.25 },
      { id: 'speak', label: cyEn('Siarad Cymraeg', 'Speak Welsh'), share: 0.25 },
      { id: 'read', label: cyEn('Darllen Cymraeg', 'Read Welsh'), share: 0.15 },
      { id: 'write', label: cyEn('Ysgrifennu Cymraeg', 'Write Welsh'), share: 0.1 },
      { id: 'none', label: cyEn('Dim un o’r uchod', 'None of the above'), share: 0.25 },
    ],
    retentionMonths: 24,
    answered: 0.7,
  },
]
