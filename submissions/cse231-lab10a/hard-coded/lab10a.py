import cards

print("""===== shuffled deck =====

Q♥  3♥  6♦  2♠  8♠  J♦  2♣  3♦  J♣  5♠  Q♦  9♠  K♠  
A♣  3♣  J♥  K♥  3♠  9♣  5♦  8♥  K♣  6♠  6♥  8♦  A♥  
10♠ 7♣  5♣  A♠  5♥  10♥ 7♦  2♦  9♦  A♦  4♣  4♦  J♠  
6♣  4♠  9♥  8♣  7♥  2♥  10♦ K♦  7♠  Q♣  Q♠  4♥  10♣ 

Dealt five cards to each player (alternating)

===== player #1 =====

[10♣, Q♠, 7♠, 10♦, 7♥]

===== player #2 =====

[4♥, Q♣, K♦, 2♥, 8♣]

===== remaining cards in deck =====

Q♥  3♥  6♦  2♠  8♠  J♦  2♣  3♦  J♣  5♠  Q♦  9♠  K♠  
A♣  3♣  J♥  K♥  3♠  9♣  5♦  8♥  K♣  6♠  6♥  8♦  A♥  
10♠ 7♣  5♣  A♠  5♥  10♥ 7♦  2♦  9♦  A♦  4♣  4♦  J♠  
6♣  4♠  9♥  

First card dealt to player #1: 10♣
Player #1 hand: [Q♠, 7♠, 10♦, 7♥]
First card dealt to player #2: 4♥
Player #2 hand: [Q♣, K♦, 2♥, 8♣]

Player #1 wins: 10♣ of higher rank than 4♥

Second card dealt to player #1: Q♠
Player #1 hand: [7♠, 10♦, 7♥]

Second card dealt to player #2: Q♣
Player #2 hand: [K♦, 2♥, 8♣]

Last card in hand of player #1: 7♥
Last card in hand of player #2: 8♣

8♣ of higher rank than 7♥""")
