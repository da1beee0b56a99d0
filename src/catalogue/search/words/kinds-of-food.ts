/**
 * Hypernyms, one group a line: sorts, dishes or brands, then their kind after `>`. Used in this direction only, and
 * only if the typed text finds too little.
 */
export const KINDS_OF_FOOD = `
pepsi, coca cola, coke, rc cola, royal crown > cola soft drink
sprite, fanta, 7 up, mountain dew, sierra mist, crush, slice, sunkist, fresca, squirt > fruit flavored soft drink
dr pepper, mr pibb > pepper type soft drink
root beer, ginger ale, cream soda > soft drink
snapple, kool aid, hawaiian punch, capri sun, sunny delight, hi c, tang, fruitopia > fruit juice drink
gatorade, powerade, propel > sports drink
red bull, monster, rockstar, full throttle > energy drink
nestea, arizona, lipton > iced tea
chai, oolong, earl grey, darjeeling, matcha > tea
chai tea latte, chai latte > tea with milk
macchiato, mocha, cappuccino, americano, frappuccino, frappe, flat white > coffee
bourbon, scotch, rye whiskey > whiskey
chardonnay, riesling, pinot grigio, sauvignon blanc > white wine
merlot, cabernet, shiraz, malbec, chianti, burgundy, zinfandel > red wine
champagne, prosecco, cava, brut > wine
bud, budweiser, corona, heineken, miller, coors > beer
ensure, boost, slim fast, carnation, atkins > nutritional drink
muscle milk, isopure > protein nutritional drink
similac, enfamil, gerber good start > infant formula
asiago, romano, pecorino, grana padano > parmesan cheese
pepper jack, colby, colby jack > monterey cheese
gruyere, emmental, emmenthal, jarlsberg > swiss cheese
boursin, neufchatel, alouette > cream cheese
velveeta, cheez whiz > cheese spread
mascarpone > cream cheese
stilton, gorgonzola, roquefort > blue cheese
string cheese > mozzarella cheese
gouda, edam, cheddar, brie, camembert, feta, ricotta, provolone, muenster > cheese
ricotta salata > ricotta cheese
kefir > milk
chobani, fage, oikos > greek yogurt
yoplait, dannon, activia > yogurt
magnum, klondike, drumstick, haagen dazs, ben jerrys > ice cream
gelato > ice cream
guacamole > avocado dip
salsa, pico de gallo > tomato sauce
alfredo > cream sauce
marinara, ragu, bolognese > tomato based sauce
pesto > pasta sauce
teriyaki, hoisin, oyster sauce, szechuan sauce, kung pao, hunan, szechuan, general tso > soy based sauce
sriracha, tabasco, buffalo sauce, franks > hot sauce
a1, worcestershire > steak sauce
aioli, miracle whip > mayonnaise
thousand island, ranch, caesar, french, catalina, russian, italian, blue cheese dressing, green goddess > salad dressing
vinaigrette > italian dressing
ritz, townhouse, club crackers > butter crackers
triscuit, wheat thins > wheat crackers
saltine, premium > saltine crackers
cheez it, goldfish, cheese nip > cheese crackers
melba, zwieback, rusk > toast
oreo, hydrox > chocolate sandwich cookie
chips ahoy, famous amos > chocolate chip cookie
lorna doone, shortbread > shortbread cookie
nilla > vanilla wafer cookie
fig newton > fig bar cookie
snickerdoodle, biscotti, macaroon, gingersnap, digestive > cookie
brownie, blondie > cookie
twix, snickers, mars, milky way, kit kat, butterfinger, 3 musketeers, baby ruth, mounds, almond joy > chocolate candy
m m, m ms, reeses pieces, smarties > chocolate candy
skittles, starburst, jelly belly, gummi, gumdrop, haribo, swedish fish > candy gummy
twizzlers, red vines > licorice candy
life savers, lifesavers, jolly rancher, butterscotch > hard candy
tootsie roll, laffy taffy, airheads > taffy candy
tic tac, altoids > mints
reeses > peanut butter chocolate candy
pop tart, toaster pastry > breakfast tart
cheerios > oat cereal
wheaties, total, shredded wheat, chex > wheat cereal
corn flakes, frosted flakes > corn cereal
rice krispies, puffed rice > rice cereal
froot loops, fruit loops, trix, lucky charms, cap n crunch, kix, cocoa puffs, apple jacks > cereal
raisin bran > bran cereal
special k, life cereal, grape nuts > cereal
cream of wheat, grits, malt o meal > cooked cereal
nature valley, quaker chewy, kashi bar, kind bar, nutri grain > granola bar
clif, power bar, luna, zone, balance bar > nutrition bar
doritos, tostitos > tortilla chips
lays, ruffles, pringles, kettle chips > potato chips
cheetos > cheese flavored corn snacks
fritos > corn chips
sunchips > multigrain chips
bugles, funyuns > snacks
wonder bread > white bread
ciabatta, focaccia, challah, brioche, sourdough, pumpernickel, naan, pita, bagel > bread
croissant, danish, strudel, turnover, scone, eclair, cannoli, palmier > pastry
english muffin > muffin
hoagie roll, kaiser roll > roll
eggo > waffle
bisquick > pancake
penne, rigatoni, ziti, fusilli, rotini, linguine, fettuccine, farfalle, orzo, orecchiette, tagliatelle, vermicelli, angel hair > pasta
kraft dinner, easy mac > macaroni and cheese
ravioli, tortellini, tortelloni, agnolotti > filled pasta
hamburger helper > beef and noodles
tuna helper > tuna and noodles
rice a roni, uncle bens > rice
basmati, jasmine, arborio > white rice
risotto, pilaf, jambalaya, biryani > rice
big mac, whopper, quarter pounder, slider > cheeseburger
egg mcmuffin, mcgriddle > egg sandwich
chalupa, taquito, flauta > taco
quesadilla, burrito, enchilada, fajita, chimichanga > tortilla
stromboli, calzone > pizza
hot pocket, lean pocket > turnover
spam, treet > luncheon meat
kielbasa, bratwurst, knockwurst, chorizo, andouille, linguica, mortadella > sausage
prosciutto, serrano, black forest > ham
pastrami, corned beef, brisket > beef
ribeye, t bone, sirloin, porterhouse, filet mignon, flank, strip steak, chuck, london broil > beef steak
bottom round, eye of round > beef roast
tilapia, cod, haddock, halibut, sole, flounder, perch, trout, pollock, mahi mahi, snapper > fish
cabrito > goat
squab > pigeon
broccolini > broccoli
kale, collards, mustard greens, turnip greens > greens
iceberg, romaine, bibb, butterhead, mesclun > lettuce
cherry tomato, roma tomato, plum tomato, beefsteak tomato > tomato
granny smith, fuji, gala, braeburn, pink lady, golden delicious, honeycrisp > apple
bosc, bartlett, anjou > pear
valencia, navel > orange
honeydew, casaba, galia > melon
bing cherry > cherry
acorn squash, butternut, hubbard, kabocha, spaghetti squash > winter squash
crookneck, pattypan > summer squash
habanero, serrano pepper, cayenne, poblano, anaheim, jalapeno > hot pepper
portobello, shiitake, cremini, chanterelle, porcini, enoki > mushroom
russet, yukon gold, fingerling > potato
vidalia, shallot > onion
nectarine > peach
pluot > plum
pinto bean, navy bean, great northern, cannellini, black turtle > beans
edamame > soybeans
tempeh, seitan > meat substitute
boca burger, gardenburger, veggie burger, garden burger, beyond burger > vegetarian burger
macadamia, cashew, pistachio, pecan, walnut, brazil nut > nuts
nutella > chocolate hazelnut spread
vegemite, marmite > yeast extract spread
i cant believe its not butter, country crock, smart balance > margarine spread
pam > cooking spray
crisco > shortening
splenda, equal, sweet n low, stevia, truvia > sugar substitute
karo > corn syrup
agave, maple syrup > syrup
lean cuisine, healthy choice, banquet, hungry man, stouffers, smart ones, swanson > frozen meal
gerber, beech nut > baby food
arroz > rice
arroz con pollo > rice with chicken
pollo > chicken
carne de res, res > beef
carne > meat
cerdo, puerco > pork
pescado > fish
camarones > shrimp
huevos, huevo > egg
queso > cheese
leche > milk
frijoles, habichuelas > beans
papas, patatas > potato
sopa > soup
ensalada > salad
manzana > apple
naranja > orange
fresa > strawberry
azucar > sugar
agua > water
jugo, zumo > juice
tostones > fried plantain
biftec, bistec > beef steak
poulet > chicken
boeuf > beef
fromage > cheese
lait > milk
pain > bread
pomme de terre > potato
oeuf > egg
riz > rice
poisson > fish
jambon > ham
champignon > mushroom
haricot > bean
fraise > strawberry
eau > water
kase > cheese
milch > milk
brot > bread
kartoffel > potato
huhn, hahnchen > chicken
rindfleisch > beef
schweinefleisch > pork
reis > rice
apfel > apple
pollo al horno > roasted chicken
formaggio > cheese
latte intero > whole milk
pane > bread
pesce > fish
mleko > milk
chleb > bread
ser > cheese
`;
