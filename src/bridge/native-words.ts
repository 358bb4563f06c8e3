/**
 * The four words by which a person sees that the proposal on one screen is the proposal on the other. Each side takes them
 * from its own digest of what it holds: ten bits a word, forty in all, so that no second proposal is made to match by
 * chance, and the full text is on both screens besides. The list is part of the agreement: a changed word is a new
 * `NATIVE_PROTOCOL`.
 */
import type { Proposal } from "./native.ts";

/** What both sides digest with SHA-256: every field, in this order, in a form that two proposals cannot share. */
export function proposalText({ name, program, args, cwd, env }: Proposal): string {
  return JSON.stringify(["navra proposal 1", name, program, args, cwd, [...env].sort()]);
}

/** Four words from a SHA-256 digest written in hexadecimal. */
export function fourWords(digest: string): string {
  const bits = BigInt(`0x${digest.slice(0, 10)}`);
  return [30n, 20n, 10n, 0n].map((shift) => WORDS[Number((bits >> shift) & 1023n)]).join(" ");
}

const WORDS: readonly string[] = `
abbey acorn acre actor adobe agate alarm album alder alley almond aloe alpine amber amulet anchor angle ankle antler
anvil apple apricot apron arbor arcade arch arena argyle armor arrow artist ash aspen atlas attic august autumn
avenue award axle bacon badge badger bagel baker balcony ballet balm bamboo banana bandana banjo banner barber barley
barn barrel basil basin basket bassoon bath baton bay bazaar beach beacon bead beak beam bean bear beard beaver bed
bee beet beetle begonia bell bellows belt bench berry bicycle birch bird biscuit bison blanket blender blossom blouse
boat bobbin bobcat bolt bone bonfire bonnet book boot border bottle bough boulder bouquet bow bowl box braid bramble
branch brass bread breeze brick bride bridge bronze brook broom brother brush bubble bucket buckle bud buffalo bugle
builder bulb bunny buoy burlap burrow bus bush butter button buzzard cabbage cabin cable cactus cage cake calf calico
camel camera camp canal canary candle candy canoe canvas canyon cap cape captain caramel caravan caraway card cargo
carpet carrot cart cashew castle cat catfish cave cedar celery cellar cello cement cereal chain chair chalk chapel
charm chart cheese cherry chess chest chick chief chimney chin chisel choir cider cinema circle circus citrus city
clam clay clerk cliff clock closet cloth cloud clover coach coal coast coat cobalt cobra cobweb cocoa coconut coffee
coin collar collie comb comet compass copper coral cork corn corner cottage cotton couch cousin cover cow coyote crab
cradle crane crater crayon cream creek crest cricket crocus crow crown crumb crystal cube cuckoo cup curl curtain
cushion cutlery cycle cymbal cypress dahlia daisy dam dancer dawn deck deer delta den dentist desert desk dew dewdrop
diamond diary dice dinner dish diver dock doctor dog doll dolphin dome domino donkey door dove dragon drawer dress
drill drum duck dune dusk dust eagle ear earth easel east echo eclipse eel egg elbow elk elm ember emerald engine
estate evening fabric factory falcon family fan farm farmer feast feather fence fennel fern ferret ferry fiddle field
fig film finch finger fir fire firefly fish flag flame flannel flask fleet flint flock flood floor flour flower flute
foam fog folder forest fork fort fossil fox frame freckle friend frog frost fruit fuchsia funnel fur galaxy gallery
galley game garage garden garlic garnet gate gazelle gecko gem ghost giant gift ginger giraffe glacier glass globe
glove glue goat gold golf gondola goose gorge gown grain granite grape grass gravel gravy grove guava guest guitar
gulf gull gum hail hair hall hammer hammock hamper hamster hand handle harbor hare harp harvest hat hatch hawk hay
hazel head heart hearth heather hedge heel helmet hen herb heron hickory hill hinge hippo hive hobby holly honey hood
hoof hook hoop horn horse hose hotel hour house hut hyena iceberg icicle iguana inch ink inlet insect iris iron
island ivory ivy jackal jacket jade jaguar jam jar jasmine jaw jeans jelly jewel jigsaw jockey journal jug juice
jumper jungle juniper jury kayak kelp kennel kernel kestrel kettle key king kiosk kitchen kite kiwi knee knight knot
koala label lace ladder ladle lady ladybug lagoon lake lamb lamp lantern lapel larch lark lasso lattice laurel lava
lawn leaf leather ledge lemon lens lentil leopard letter lettuce library lid light lilac lily linen lion lip lizard
llama lobby lobster lock locket locust loft log loom loop lotus lullaby lumber lunch lupin lute lynx magnet magpie
mallet mango manor map maple marble march margin marina market marsh mask mast mat match meadow medal meerkat melody
melon mentor meteor metro mill minnow mint mirror mist mitten moat mole moment monkey month moon moose morning mosaic
moss moth motor mouse mouth mug mule mural muscle museum music mustard myrtle nail napkin nebula neck nectar needle
nest net nettle newt nickel niece noodle noon north nose nurse nut nutmeg oak oar oasis oat oatmeal ocean octopus
olive omelet onion opal opera orange orbit orca orchard orchid oregano organ osprey ostrich otter oven owl oyster
paddle page pail paint palace palm pan panda panel pansy panther papaya paper paprika parade parcel park parrot
parsley parsnip pasta path patio pause paw pea peach peacock peak peanut pear pearl pebble pecan pedal pen pencil
peony pepper perch petal phone photo piano pickle picnic pie pier pigeon pillar pillow pilot pine pipe pirate pixel
pizza planet plank plate plaza plow plum plume plush pocket poem poet polar pole pollen pond pony pool poplar poppy
porch port pot potato powder prince prism prune puddle puffin puma pupil puppet puppy purse puzzle quail quarry
quartz queen quill quilt quince quiver rabbit radar radio radish raft rail rain raisin ram ranch raven razor reed
reef ribbon rice ridge ring river road robin robot rock rocket rodeo roof room root rope rose ruby rudder rug ruler
runner rye saddle sage sail salad salmon salt sand sandal satin sauce saucer sauna scarf school scone scout screen
screw sea seal seed shadow shark shed sheep shelf shell shield ship shirt shoe shop shore shovel shrimp shrub silk
silver singer sink sister skate sketch ski skirt skunk sky slate sled sleeve sloth smoke snail snake snow soap soccer
sock sofa soil song soup south spade spice spider spiral sponge spoon spring spruce squid stable stage stair stamp
star statue steam steel stem stone stool stork storm stove strap straw stream street string studio sugar suit summer
summit sun sunset swamp swan swing symbol syrup table tablet tail tailor tank tape tapir tea teacup teapot temple
tennis tent thread throne thumb thyme ticket tide tiger tile timber tin toad toast toffee tomato tongue topaz torch
toucan towel tower town toy track trail train tray tree tribe trout truck trunk tulip tundra tunnel turban turkey
turnip turtle tusk tweed twig twine uncle urn valley valve vase vault velvet vessel vest villa vine viola violet
violin waffle wagon waist waiter wall wallet walnut walrus waltz wand wasp watch water wave wax weasel weaver web
west whale wharf wheat wheel willow wind window wing winter wizard wolf wombat wood wool world wren wrench wrist
yacht yam yard yarn yeast yogurt yolk youth yucca zebra zenith zephyr zinc zipper zither zodiac zone
`
  .trim()
  .split(/\s+/);
