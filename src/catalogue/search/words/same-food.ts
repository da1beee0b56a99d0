/** Names of the same food, a group a line, folded as `tokenise` folds. Sorts of a food are in `kinds-of-food.ts`. */
export const SAME_FOOD = `
fries, french fries, chips
potato chips, potato crisps, crisps
soda, pop, soft drink, soda pop, fizzy drink
aubergine, eggplant, brinjal
courgette, zucchini
rocket, arugula, rucola
coriander, cilantro
scallion, spring onion, green onion
beetroot, beet
swede, rutabaga
capsicum, bell pepper, sweet pepper
chickpea, garbanzo, garbanzo bean, ceci, channa, chana
broad bean, fava bean
butter bean, lima bean
runner bean, green bean, string bean, snap bean, french bean
sugar snap, snap pea
mangetout, snow pea
corn, maize, sweetcorn
cornmeal, maize meal, polenta
jicama, yambean, yam bean
okra, ladyfinger, lady finger, bhindi
cassava, yuca, manioc, tapioca root
taro, dasheen, malanga
plantain, platano
pawpaw, papaya
pitaya, dragon fruit, dragonfruit, pitahaya
sharon fruit, persimmon, kaki
carambola, starfruit, star fruit
satsuma, clementine, mandarin, tangerine
cantaloupe, rockmelon, muskmelon
prune, dried plum
raisin, sultana
craisin, dried cranberry
peanut, groundnut, goober
filbert, hazelnut
pepita, pumpkin seed
desiccated coconut, shredded coconut
minced beef, ground beef, beef mince, mince, hamburger meat
minced meat, ground meat
hamburger, burger, beefburger
hot dog, frankfurter, frank, wiener, weiner
sausage, banger
bacon rasher, bacon slice
prawn, shrimp
gammon, ham
mutton, lamb
venison, deer
liver sausage, liverwurst
brawn, head cheese
bologna, baloney, boloney
salami, hard salami
jerky, biltong, dried meat
tinned, canned
wholemeal, whole wheat, wholewheat
whole grain, wholegrain
skimmed, skim, nonfat, fat free
semi skimmed, reduced fat, low fat, 2 %
full fat, whole
light, lite
sugar free, no sugar, sugarless, unsweetened
diet, zero, sugar free
decaf, decaffeinated, caffeine free
curd, quark
cottage cheese, farmer cheese
yogurt, yoghurt, yoghourt, yogourt
whipped cream, chantilly
double cream, heavy cream
single cream, light cream
sour cream, creme fraiche
half and half, coffee cream
buttermilk, lassi
milkshake, milk shake, shake
ice cream, icecream
ice pop, ice lolly, popsicle, freezer pop
sorbet, sherbet
custard, creme anglaise
biscuit, cookie
cracker, cream cracker
sweets, candy, candies
lolly, lollipop, sucker
candy floss, cotton candy
jello, gelatin, gelatine, jelly
jam, preserve, fruit spread
marmalade, orange jam
treacle, molasses
golden syrup, corn syrup
icing sugar, powdered sugar, confectioners sugar
caster sugar, superfine sugar
frosting, icing
porridge, oatmeal, cooked oats
oats, oatmeal
granola, muesli
flapjack, oat bar
cereal bar, granola bar
pancake, hotcake, flapjack, griddlecake
crepe, thin pancake
doughnut, donut
muffin, cupcake
fairy cake, cupcake
bread roll, roll, bun
breadcrumbs, bread crumbs
baguette, french bread, french stick
pita, pitta, pocket bread
flatbread, flat bread
stuffing, dressing
cornbread, corn bread, johnnycake
macaroni, mac
mac and cheese, macaroni and cheese, macaroni cheese
spaghetti, pasta
noodle, pasta
ramen, instant noodle
dumpling, potsticker, gyoza, jiaozi
spring roll, egg roll
kebab, kabob, kebob, shish kebab
falafel, felafel
hummus, houmous, humus
tahini, sesame paste, sesame butter
tofu, bean curd, soybean curd
soy, soya
soy sauce, soya sauce, shoyu
soy milk, soya milk, soymilk
ketchup, catsup, tomato sauce
mayonnaise, mayo
coleslaw, slaw, cole slaw
tartar sauce, tartare sauce
barbecue, bbq, barbeque
gravy, brown sauce
broth, bouillon, stock
vegetable fat, shortening
canola oil, rapeseed oil
maize oil, corn oil
oleo, margarine
corn starch, cornstarch, cornflour
plain flour, all purpose flour
bicarbonate of soda, baking soda
sparkling water, seltzer, carbonated water, soda water, club soda, mineral water
fizzy, sparkling, carbonated
squash, cordial
lemonade, lemon drink
orange juice, oj
ice tea, iced tea
hot chocolate, cocoa, hot cocoa, drinking chocolate
coffee with milk, cafe au lait, latte, white coffee
espresso, expresso
coke, cola, coca cola
beer, lager, ale
hard liquor, spirit, liquor
whisky, whiskey, scotch, bourbon
sandwich, sub, hoagie, hero, grinder
grilled cheese, cheese toastie, toasted cheese sandwich
pb and j, peanut butter and jelly sandwich
scrambled egg, egg scramble
fried egg, egg sunny side up
devilled egg, deviled egg, stuffed egg
omelette, omelet
jacket potato, baked potato
mashed potato, mash, potato mash
hash brown, hash browns, potato cake
roast potato, roasted potato
tater tots, potato puffs
chicken nugget, chicken bite, popcorn chicken
chicken finger, chicken tender, chicken strip
buffalo wing, chicken wing, hot wing
fish finger, fish stick
tuna fish, tuna
calamari, squid
crawfish, crayfish
langoustine, scampi
crab stick, surimi, imitation crab
lox, smoked salmon
pot roast, braised beef
meatloaf, meat loaf
sloppy joe, loose meat sandwich
chili, chilli, chile, chili con carne
chilli, chile, chili, hot pepper
stew, casserole, hotpot
goulash, gulasch, gulyas
cabbage roll, stuffed cabbage
sauerkraut, pickled cabbage
gherkin, pickle, pickled cucumber, dill pickle
kidney bean, red bean
black eyed pea, blackeyed pea, cowpea
pigeon pea, gandules
lentil, dal, daal, dhal
mixed vegetables, vegetable medley
rapini, broccoli raab, broccoli rabe
chard, swiss chard, silverbeet
cos lettuce, romaine
endive, chicory
celeriac, celery root
jerusalem artichoke, sunchoke
sweet potato, yam, kumara, batata
infant formula, baby formula, baby milk
baby food, babyfood
meal replacement, nutritional drink, nutrition shake, nutritional shake
protein shake, nutritional drink, nutritional powder
protein powder, nutritional powder
sports drink, isotonic drink
energy drink, energizer
egg beaters, egg substitute
sweetener, sugar substitute
artificial sweetener, low calorie sweetener
coffee whitener, coffee creamer, creamer, non dairy creamer
cool whip, whipped topping
trail mix, student mix, nut mix
pork rinds, pork skin, chicharron, pork scratching
corn chips, tortilla chips, nachos
cheese curls, cheese puffs, cheese doodles
rice crackers, rice cake
popcorn, pop corn
tart, pie
cobbler, crumble, crisp
turnover, hand pie
brandy, cognac
cider, cyder
pepperoni, salami
ground, minced
shredded, grated
flavored, flavoured
fiber, fibre
catfish, cat fish
lobster, spiny lobster
filled, stuffed
fried, deep fried
steamed, boiled
raw, fresh, uncooked
reconstituted, prepared
cafeteria, school lunch
takeaway, takeout, fast food
tv dinner, frozen meal, frozen dinner
`;
