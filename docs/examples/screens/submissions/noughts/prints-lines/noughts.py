print("NOUGHTS AND CROSSES")
print("> New game")
input()
