import type { DemoPeople } from '../types.ts'

export const people: DemoPeople = {
  first: [
    'Amélie', 'Benoît', 'Camille', 'Chantal', 'Étienne', 'Francis', 'Geneviève', 'Hugo', 'Isabelle', 'Jean-Luc', 'Karine', 'Luc', 'Marie-Ève', 'Nathalie', 'Olivier', 'Pascale', 'Sylvain',
    'Aaron', 'Abigail', 'Alistair', 'Brenda', 'Callum', 'Carol', 'Claire', 'Dale', 'Derek', 'Eleanor', 'Emma', 'Gordon', 'Hannah', 'Heather', 'Ian', 'Jasmine', 'Joan', 'Kyle', 'Laura', 'Liam', 'Megan', 'Nora', 'Owen', 'Rachel', 'Ryan', 'Sheila', 'Trevor', 'Wendy',
    'Aisha', 'Amara', 'Anh', 'Arjun', 'Daniela', 'Farid', 'Gurpreet', 'Hiroshi', 'Jamal', 'Kateryna', 'Kofi', 'Lakshmi', 'Layla', 'Mei', 'Mohamed', 'Nadia', 'Oksana', 'Paolo', 'Rosario', 'Samir', 'Sofia', 'Tomasz', 'Yusuf', 'Zainab',
  ],
  last: [
    'Beaulieu', 'Bélanger', 'Bergeron', 'Caron', 'Côté', 'Desjardins', 'Fortin', 'Gagné', 'Lalonde', 'Leblanc', 'Lefebvre', 'Ménard', 'Ouellet', 'Pelletier', 'Poirier', 'Séguin', 'Thibault',
    'Anderson', 'Armstrong', 'Baker', 'Campbell', 'Crawford', 'Douglas', 'Fraser', 'Grant', 'Hall', 'Hughes', 'Irwin', 'Jamieson', 'Kelly', 'Lambert', 'MacDonald', 'McKay', 'Morrison', 'Nelson', 'O’Brien', 'Patterson', 'Reid', 'Ross', 'Stewart', 'Sutherland', 'Thompson', 'Walsh', 'Young',
    'Abdi', 'Adeyemi', 'Ahmed', 'Chen', 'Choudhury', 'Dhillon', 'Diaz', 'Ferrari', 'Haddad', 'Ito', 'Kaur', 'Kowalski', 'Mensah', 'Nguyen', 'Okonkwo', 'Park', 'Patel', 'Petrenko', 'Rahman', 'Reyes', 'Santos', 'Singh', 'Wong',
  ],
  languages: { en: 79, 'fr-CA': 21 },
  accounts: { siteAdmin: 'Catherine Doyle', hubAdmin: 'Nadia Okafor', projectAdmin: 'Étienne Roy', participant: 'Maya Bergeron' },
  hubOfAdmin: 'transportation',
  projectsOfAdmin: ['fern-street', 'northgate-library'],
}
