import { cauri } from './cauri.mjs'

const profile = await cauri.biller.save({
  display_name: 'Énergie du Sahel',
  category: 'electricity',
  short_desc: 'L’électricité de Dakar à Tambacounda.',
})
console.log(profile.slug, profile.directory_state)
