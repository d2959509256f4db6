"""Accordion solitaire (Monmouth CS 509, spring 2003, assignment 3): everything that decides whether an answer is right.

Dealing all cards first loses nothing: a move concerns only piles to the left of the moved card, so every legal game
reaches the same tableau when its moves are made, in the same order, after the last card is dealt.
"""
