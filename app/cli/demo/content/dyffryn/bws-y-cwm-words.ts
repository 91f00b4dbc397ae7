import type { WordPool } from '../types.ts'

/** What people wrote about the valley bus, in their own words and languages. */
export const bwsYCwmWords: Record<string, WordPool> = {
  q_dweud: {
    all: {
      cy: [
        'Bws sy’n dod pan mae’r amserlen yn dweud. Dyna’r cyfan.',
        'To dros yr arhosfan, plîs. Mae’n glawio yma.',
        'Mae chwarter wedi chwech yn rhy gynnar o lawer ar gyfer y bws olaf.',
        'Rhowch yr amserlen yn Gymraeg ar yr ap hefyd.',
        'Byddai un tocyn ar gyfer y bws a’r trên yn newid popeth.',
        'Dim bws ar ddydd Sul, felly dim capel i Mam.',
        'Mae’r gyrwyr yn wych. Talwch nhw’n iawn.',
        'Peidiwch ag anghofio am y pentrefi uwchben y brif ffordd.',
        'Golau yn yr arhosfan, mae’n dywyll fel bol buwch.',
        'Hoffwn allu talu â cherdyn.',
        'Da iawn am ofyn. Nawr gwrandewch.',
        'Mae angen bws sy’n cwrdd â’r trên, nid un sy’n gadael ddwy funud o’i flaen.',
      ],
      en: [
        'A bus that comes when the timetable says. That is all.',
        'A roof over the stop please. It rains here.',
        'A quarter past six is far too early for the last bus.',
        'One ticket for bus and train would change everything.',
        'The drivers are wonderful. Pay them properly.',
        'Do not forget the villages above the main road.',
        'A bus that meets the train, not one that leaves two minutes before it.',
        'Let dogs on. Mine is better behaved than most.',
        'Tell us when it is cancelled. I waited ninety minutes in sleet.',
        'Please keep calling at the surgery.',
        'I moved here from a city and sold my car. Do not make me regret it.',
        'Contactless, please.',
      ],
    },
    teithiwr: {
      cy: [
        'Rwy’n dal y bws bob dydd ers un mlynedd ar ddeg. Bob hanner awr, os gwelwch yn dda.',
        'Os colla i fws pump, mae’n awr gyfan o aros.',
        'Mae’n llawn erbyn Llan-y-Cwm bob bore ysgol.',
        'Cyhoeddwch yr arosfannau yn Gymraeg gyntaf.',
        'Mae fy ngwaith yn gorffen am saith. Does dim bws am saith.',
      ],
      en: [
        'I have caught it every day for eleven years. Every half hour, please.',
        'Miss the five o’clock and you wait a whole hour.',
        'It is full by Llan-y-Cwm every school morning.',
        'I finish at seven. There is no bus at seven.',
        'Somewhere to put a pram that is not the aisle.',
      ],
    },
    ifanc: {
      cy: [
        'Does dim modd mynd i’r sinema heb gael lifft gan Dad.',
        'Bws nos Wener, plîs. Dim ond un.',
        'Ches i mo’r swydd achos doedd dim bws adref.',
        'Wi-fi, a lle i wefru’r ffôn.',
        'Mae punt yn deg. Diolch.',
        'Rydyn ni’n treulio’n bywydau yn aros am lifft.',
      ],
      en: [
        'There is no way to go to the pictures without a lift from Dad.',
        'A bus on Friday night. Just one.',
        'I did not get the job because there was no bus home.',
        'We spend our lives waiting for lifts.',
        'A pound is fair. Thank you.',
      ],
    },
    hyn: {
      cy: [
        'Dau fws a thair awr i gael prawf gwaed. Mae hynny’n wirion.',
        'Alla i ddim darllen yr amserlen, mae’r print mor fân.',
        'Mae’r bws yn gwmni hefyd, cofiwch.',
        'Sedd yn yr arhosfan, dyna i gyd.',
        'Rwy’n 81 ac wedi rhoi’r gorau i yrru. Y bws yw fy nghoesau i.',
      ],
      en: [
        'Two buses and three hours for a blood test. That is silly.',
        'I cannot read the timetable, the print is so small.',
        'The bus is company too, remember.',
        'I am 81 and have given up driving. The bus is my legs.',
        'A seat at the stop, that is all.',
      ],
    },
    gyrrwr: {
      cy: [
        'Byddwn yn ei ddal petai’n cyrraedd cyn wyth.',
        'Rwy’n ffermio. Fydd bws byth yn gweithio i mi, ond mae ei angen ar fy merch.',
        'Maes parcio am ddim yn Llan-y-Cwm a byddwn yn ystyried y peth.',
        'Trwsiwch y tyllau yn y ffordd gyntaf.',
      ],
      en: [
        'I would catch it if it arrived before eight.',
        'I farm. A bus will never work for me, but my daughter needs one.',
        'A free car park at Llan-y-Cwm and I would think about it.',
        'Mend the potholes first.',
        'I carry tools. But take the others off the road and I am happy.',
      ],
    },
  },
  q_arhosfan: {
    all: {
      cy: [
        'Sgwâr Llan-y-Cwm',
        'Pont-yr-Afon, yr orsaf',
        'Blaen-y-Nant',
        'Ysgol Tre-wen',
        'Y Feddygfa',
        'Capel Seion',
        'Heol y Felin',
        'Pen-y-bryn',
        'Yr Ysbyty',
        'Stryd Fawr',
        'Maes y Rheilffordd',
      ],
      en: [
        'Llan-y-Cwm square',
        'Pont-yr-Afon station',
        'Blaen-y-Nant',
        'Tre-wen school',
        'The surgery',
        'Capel Seion',
        'Mill Road',
        'Pen-y-bryn',
        'The hospital',
        'High Street',
      ],
    },
  },
  'q_sut.other': {
    all: { cy: ['Tractor', 'Beic modur', 'Tacsi', 'Ar gefn ceffyl'], en: ['Tractor', 'Motorbike', 'Taxi', 'Community car'] },
  },
}
